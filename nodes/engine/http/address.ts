import { BadInput } from '../errors';

/** Returns the base URL of a credential without trailing slashes; throws BadInput if it is missing or not usable. */
export function readBaseUrl(raw: unknown): string {
	const text = typeof raw === 'string' ? raw.trim() : '';
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
		throw new BadInput(
			text
				? "'Base URL' in the credential is not a web address"
				: "'Base URL' in the credential is missing",
			'Enter the full address of the service in the credential, e.g. https://api.example.com',
		);
	}
	if (url.username || url.password) {
		// A user name and password would appear wherever the URL appears: in messages, in logs, in the history of proxies.
		throw new BadInput(
			"'Base URL' in the credential contains a user name or password",
			"In the credential, remove everything before the @ in 'Base URL': the key has its own field.",
		);
	}
	return text.replace(/\/+$/, '');
}

/**
 * Returns the advice to remove the end of a base URL that is also the beginning of the requested path: a user who copied the
 * address of an operation has both. Undefined if nothing is repeated. Only for requests that found nothing, since an address may
 * really be like that.
 */
export function repeatedPathAdvice(baseUrl: string, path: string): string | undefined {
	const base = new URL(baseUrl).pathname.split('/').filter(Boolean);
	const requested = path.split(/[?]/, 1)[0]!.split('/').filter(Boolean);
	const isRepeatedFrom = (start: number) =>
		base.slice(start).join('/') === requested.slice(0, base.length - start).join('/');
	const start = base.findIndex((_, index) => isRepeatedFrom(index));
	if (start < 0) return undefined;
	const repeated = `/${base.slice(start).join('/')}`;
	return `'Base URL' in the credential ends in ${repeated}, with which the path of the operation begins, too. Remove that part.`;
}

/** Returns the query string with its question mark. Omits blank values; returns '' if no values remain. */
export function queryString(query: Record<string, unknown>): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined && value !== null && value !== '') search.append(name, `${value}`);
	}
	const text = search.toString();
	return text && `?${text}`;
}

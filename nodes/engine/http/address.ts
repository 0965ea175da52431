import { BadInput } from '../errors';

/** Takes a base address with a trailing slash or none, and says what is wrong with one that is not an address. */
export function readBaseUrl(given: unknown): string {
	const text = typeof given === 'string' ? given.trim() : '';
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
		throw new BadInput(
			text
				? 'The base address in the credential is not a web address'
				: 'The credential has no base address',
			'Open the credential and put in the address of the service, for example https://api.example.com',
		);
	}
	if (url.username || url.password) {
		// It would show wherever an address does: in messages, in logs, in the history of proxies.
		throw new BadInput(
			'The base address in the credential holds a name or a password',
			'Open the credential and take out what stands before the @ in the base address: keys have a field of their own.',
		);
	}
	return text.replace(/\/+$/, '');
}

/** The query of an address; what is blank is left out. */
export function queryString(query: Record<string, unknown>): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined && value !== null && value !== '') search.append(name, `${value}`);
	}
	const text = search.toString();
	return text && `?${text}`;
}

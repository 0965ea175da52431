const secretNames = new Set(['token', 'secret', 'code', 'verification_code', 'api_key']);
const REDACTED = '…';

/** Fills in a path template, without secret parameters. */
export function redactPath(template: string, params: object): string {
	return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
		secretNames.has(name) ? REDACTED : String((params as Record<string, unknown>)[name]),
	);
}

/** Returns query values, without secret ones. */
export function redactQuery(query: object): Record<string, string> {
	return Object.fromEntries(
		Object.entries(query).map(([name, value]) => [
			name,
			secretNames.has(name) ? REDACTED : String(value),
		]),
	);
}

/** Redacts a path that no contract defines: only segments that cannot be a code or a key are kept. */
export function redactUnknownPath(path: string): string {
	return path
		.split('/')
		.map((segment) => (/^[a-z_-]{0,24}$/.test(segment) ? segment : REDACTED))
		.join('/');
}

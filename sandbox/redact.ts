const secretNames = new Set(['token', 'secret', 'code', 'verification_code', 'api_key']);
const hidden = '…';

/** A path template filled in, with secret parameters left out. */
export function journalPath(template: string, params: object): string {
	return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
		secretNames.has(name) ? hidden : String((params as Record<string, unknown>)[name]),
	);
}

/** Query values with the secret ones left out. */
export function journalQuery(query: object): Record<string, string> {
	return Object.fromEntries(
		Object.entries(query).map(([name, value]) => [
			name,
			secretNames.has(name) ? hidden : String(value),
		]),
	);
}

/** A path that no contract knows: only segments that cannot be a code or a key are kept. */
export function safePath(path: string): string {
	return path
		.split('/')
		.map((segment) => (/^[a-z_-]{0,24}$/.test(segment) ? segment : hidden))
		.join('/');
}

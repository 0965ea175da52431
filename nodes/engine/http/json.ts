/**
 * Serializes a value to JSON. Unlike `JSON.stringify`, writes a bigint as a number with all its digits; callers use it for
 * integers beyond the safe range.
 */
export function toJson(value: unknown): string {
	return containsBigint(value) ? stringifyExactly(value) : JSON.stringify(value);
}

function containsBigint(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
	return Object.values(value).some(containsBigint);
}

/** Slower than `JSON.stringify`, so used only for values with a bigint, which `JSON.stringify` rejects. */
function stringifyExactly(value: unknown): string {
	if (typeof value === 'bigint') return `${value}`;
	if (Array.isArray(value)) {
		return `[${value.map((entry) => (entry === undefined ? 'null' : stringifyExactly(entry))).join(',')}]`;
	}
	if (typeof value !== 'object' || value === null || 'toJSON' in value)
		return JSON.stringify(value);
	const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
	return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${stringifyExactly(entry)}`).join(',')}}`;
}

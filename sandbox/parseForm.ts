export const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded';

interface Form {
	[name: string]: string | Form;
}

/** Names such as `user`, `user[email]` and `logos[0][res]`. */
const FIELD_NAME = /^([^[\]]+)((?:\[[^[\]]*\]){0,4})$/;

/**
 * Parses a form. Brackets in a name nest: `user[email]=a` is `{ user: { email: 'a' } }`. The last of several equal names
 * wins. The objects have no prototype, so `__proto__` is a name like any other.
 */
export function parseForm(text: string): Form {
	const form = Object.create(null) as Form;
	for (const [name, value] of new URLSearchParams(text)) {
		const [, firstKey, brackets] = FIELD_NAME.exec(name) ?? [undefined, name, ''];
		const nestedKeys = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key!);
		const keys = [firstKey, ...nestedKeys];
		let parent = form;
		for (const key of keys.slice(0, -1)) {
			const next = parent[key];
			parent = typeof next === 'object' ? next : (parent[key] = Object.create(null) as Form);
		}
		parent[keys.at(-1)!] = value;
	}
	return form;
}

/**
 * Converts a form value to one of the given JSON types. An object becomes an array of its values if the types include an
 * array. Returns a value that cannot be converted unchanged.
 */
export function convertFormValue(value: unknown, types: unknown[]): unknown {
	if (typeof value === 'string') {
		const isInteger = /^-?\d{1,15}$/.test(value);
		if (isInteger && types.includes('integer')) return Number(value);
		if (types.includes('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
		if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
		return value;
	}
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject && types.includes('array') ? Object.values(value) : value;
}

const labels = {
	name: 'Name',
	profile: 'Name',
	email: 'Email',
	phone: 'Phone',
	address: 'Address',
};

const values = {
	name: ({ name }) => name,
	profile: ({ name }) => name && { name },
	email: ({ email }) => email,
	phone: ({ phone }) => phone,
	address: ({ address }) => address && { formatted: address },
};

const inSentence = { phone: 'phone number' };
const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Describes a scope as part of a sentence, such as `your email (required) and profile`. */
export function scopeWords(scope) {
	const parts = readScope(scope, {}).map(({ name, required }) => {
		const words = inSentence[name] ?? name;
		return required ? `${words} (required)` : words;
	});
	return parts.length > 0 ? `your ${list.format(parts)}` : 'your consent';
}

/** Parses a scope such as `email~r phone~s` and adds the values of a profile. */
export function readScope(scope, profile) {
	return scope
		.split(/[\s,]+/)
		.filter(Boolean)
		.map((entry) => {
			const [name, ...marks] = entry.split('~');
			const value = Object.hasOwn(values, name) ? values[name](profile) || undefined : undefined;
			return {
				name,
				label: labels[name] ?? name,
				required: marks.some((mark) => mark.includes('r')),
				value,
				text: typeof value === 'object' ? Object.values(value).join(', ') : value,
			};
		});
}

/** Returns the claims of the token: those requested whose value is known. */
export function claimsFor(scope, profile) {
	return Object.fromEntries(
		readScope(scope, profile)
			.filter(({ value }) => value !== undefined)
			.map(({ name, value }) => [name, value]),
	);
}

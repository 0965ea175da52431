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

/** What a scope asks for, as part of a sentence, such as `your email (required) and profile`. */
export function scopeWords(scope) {
	const parts = readScope(scope, {}).map(({ name, required }) => {
		const words = inSentence[name] ?? name;
		return required ? `${words} (required)` : words;
	});
	return parts.length > 0 ? `your ${list.format(parts)}` : 'your consent';
}

/** What a scope such as `email~r phone~s` asks for, with this profile's answers. */
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

/** The claims that go into the token: what was asked for and is known. */
export function claimsFor(scope, profile) {
	return Object.fromEntries(
		readScope(scope, profile)
			.filter(({ value }) => value !== undefined)
			.map(({ name, value }) => [name, value]),
	);
}

const claimLabels = {
	name: 'Name',
	profile: 'Name',
	email: 'Email',
	phone: 'Phone',
	address: 'Address',
};

const claimReaders = {
	name: ({ name }) => name,
	profile: ({ name }) => name && { name },
	email: ({ email }) => email,
	phone: ({ phone }) => phone,
	address: ({ address }) => address && { formatted: address },
};

const namesInSentence = { phone: 'phone number' };
const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

/** Describes a scope as part of a sentence, such as `your email (required) and profile`. */
export function describeScope(scope) {
	const parts = parseScope(scope, {}).map(({ name, required }) => {
		const text = Object.hasOwn(namesInSentence, name) ? namesInSentence[name] : name;
		return required ? `${text} (required)` : text;
	});
	return parts.length > 0 ? `your ${listFormat.format(parts)}` : 'your consent';
}

/** Parses a scope such as `email~r phone~s` and adds the values of a profile. */
export function parseScope(scope, profile) {
	return scope
		.split(/[\s,]+/)
		.filter(Boolean)
		.map((entry) => {
			const [name, ...flags] = entry.split('~');
			const value = Object.hasOwn(claimReaders, name)
				? claimReaders[name](profile) || undefined
				: undefined;
			return {
				name,
				label: Object.hasOwn(claimLabels, name) ? claimLabels[name] : name,
				required: flags.some((flag) => flag.includes('r')),
				value,
				text: typeof value === 'object' ? Object.values(value).join(', ') : value,
			};
		});
}

/** Returns the claims of the token: those requested claims whose value is known. */
export function selectClaims(scope, profile) {
	return Object.fromEntries(
		parseScope(scope, profile)
			.filter(({ value }) => value !== undefined)
			.map(({ name, value }) => [name, value]),
	);
}

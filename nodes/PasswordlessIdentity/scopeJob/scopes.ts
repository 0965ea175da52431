import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { missingValueError } from '../../engine/http/path';
import { isRecord } from '../../engine/values/isRecord';

const SCOPE = /^[A-Za-z0-9_.:-]+(~[rs])*$/;

/** Claims to ask the person for: listed or free names, each optionally required or signed. */
export const scopes = field({
	displayName: 'Scopes',
	name: 'scopes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add scope',
	default: { entries: [{ name: 'email', other: '', required: false, signed: false }] },
	description: 'What to ask the person for',
	options: [
		{
			displayName: 'Scope',
			name: 'entries',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'options',
					options: [
						{ name: 'Address', value: 'address' },
						{ name: 'Email', value: 'email' },
						{ name: 'Other', value: 'other', description: 'Any other, by its name' },
						{ name: 'Phone', value: 'phone' },
						{ name: 'Profile', value: 'profile' },
					],
					default: 'email',
				},
				{
					displayName: 'Other Name',
					name: 'other',
					type: 'string',
					default: '',
					placeholder: 'e.g. nickname birthdate',
					description: 'Names as the issuer knows them, separated by spaces',
					displayOptions: { show: { name: ['other'] } },
				},
				{
					displayName: 'Required',
					name: 'required',
					type: 'boolean',
					default: false,
					description: 'Whether the person must provide it',
				},
				{
					displayName: 'Signed',
					name: 'signed',
					type: 'boolean',
					default: false,
					description: 'Whether it needs its own signature',
				},
			],
		},
	],
	read: formatScopes,
	target: { in: 'claim', as: 'scope' },
});

/** Formats scopes in the service's notation: names separated by spaces, `~r` for required, `~s` for signed. */
function formatScopes(raw: unknown): string {
	const names = listScopes(raw).filter(Boolean);
	if (names.length === 0) throw missingValueError('Scopes');
	const invalid = names.find((name) => !SCOPE.test(name));
	if (invalid !== undefined) {
		throw new BadInput(
			`"${invalid.slice(0, 60)}" can't be the name of a scope`,
			'Scopes are single words such as email or profile, separated by spaces.',
		);
	}
	return [...new Set(names)].join(' ');
}

function listScopes(raw: unknown): string[] {
	// An expression can return the scopes as one text or as a list.
	if (typeof raw === 'string') return raw.split(/[\s,]+/);
	if (Array.isArray(raw)) return raw.flatMap(listScopes);
	const { entries, name, other, required, signed } = isRecord(raw) ? raw : {};
	if (entries !== undefined) return listScopes(entries);
	const scopeNames = name === 'other' ? other : name;
	const suffix = `${required === true ? '~r' : ''}${signed === true ? '~s' : ''}`;
	return `${scopeNames ?? ''}`
		.split(/[\s,]+/)
		.filter(Boolean)
		.map((word) => (word.includes('~') ? word : word + suffix));
}

// Protects displayed records: known names are found in any usual spelling, and no two members become one.
import { memberRenamer } from '../../../nodes/engine/run/memberNames';

const rename = memberRenamer(['RegistrationId', 'FirstName', 'Email']);

it.each([
	[
		{ registrationId: 1, firstName: 'Ada', email: 'a@x' },
		{ RegistrationId: 1, FirstName: 'Ada', Email: 'a@x' },
	],
	[
		{ registration_id: 1, first_name: 'Ada', EMAIL: 'a@x', notes: 'n' },
		{ RegistrationId: 1, FirstName: 'Ada', Email: 'a@x', notes: 'n' },
	],
	[
		{ RegistrationId: 1, FirstName: 'Ada' },
		{ RegistrationId: 1, FirstName: 'Ada' },
	],
	[
		{ firstName: 'Ada', first_name: 'Eva' },
		{ firstName: 'Ada', first_name: 'Eva' },
	],
	[
		{ FirstName: 'Ada', first_name: 'Eva' },
		{ FirstName: 'Ada', first_name: 'Eva' },
	],
	[
		{ constructor: 1, __proto__: 2 },
		{ constructor: 1, __proto__: 2 },
	],
	[{}, {}],
])('%j becomes %j', (record, expected) => {
	expect(rename(record)).toEqual(expected);
});

it('keeps the order of the members', () => {
	expect(Object.keys(rename({ email: 'a@x', notes: 'n', first_name: 'Ada' }))).toEqual([
		'Email',
		'notes',
		'FirstName',
	]);
});

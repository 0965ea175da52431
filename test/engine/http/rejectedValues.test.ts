// Protects the quoted value in an error message: users see which value was rejected, and secrets are never quoted.
import { toFailure } from '../../../nodes/engine/http/failures';
import { quoteRejectedValues } from '../../../nodes/engine/http/rejectedValues';
import type { Explanation } from '../../../nodes/engine/http/types';

describe('a rejected value', () => {
	it.each<[string, string[], unknown, string]>([
		['the value of a field', ['Email'], { Email: 'jo@@x' }, ' The value was "jo@@x".'],
		[
			'a value in whatever case the field is named',
			['email'],
			{ Email: 'jo@@x' },
			' The value was "jo@@x".',
		],
		['a number', ['Seats'], { Seats: -1 }, ' The value was "-1".'],
		[
			'a value named by a path',
			['/user/email'],
			{ user: { email: 'jo@@x' } },
			' The value was "jo@@x".',
		],
		[
			'a value inside an object',
			['cellphone'],
			{ user: { cellphone: '12' } },
			' The value was "12".',
		],
		['a value in a list', ['contacts[0].Email'], [{ Email: 'b@@' }], ' The value was "b@@".'],
		['a value in a list by its index', ['[0].Email'], [{ Email: 'b@@' }], ' The value was "b@@".'],
		['a value in a list with one record', ['Email'], [{ Email: 'b@@' }], ' The value was "b@@".'],
		[
			'the value of a custom field',
			['CustomFields.Diet'],
			{ CustomFields: [{ Name: 'Diet', Value: 'Stones' }] },
			' The value was "Stones".',
		],
		[
			'several values',
			['Email', 'Phone'],
			{ Email: 'x', Phone: 'y' },
			' The values were Email "x" and Phone "y".',
		],
		[
			'only the beginning of a long value',
			['Name'],
			{ Name: 'a'.repeat(70) },
			` The value was "${'a'.repeat(57)}…".`,
		],
	])('is quoted in the message: %s', (_, fields, sentBody, quote) => {
		expect(quoteRejectedValues(fields, sentBody, 'Not valid')).toBe(quote);
	});

	it.each<[string, string[], unknown, string]>([
		['blank', ['Email'], { Email: ' ' }, 'Not valid'],
		['not sent', ['Email'], { Name: 'Jo' }, 'Not valid'],
		['no single value', ['Tags'], { Tags: ['a', 'b'] }, 'Not valid'],
		['in the message already', ['Email'], { Email: 'jo@@x' }, 'jo@@x is not valid'],
		['sent without a field name', [], { Email: 'jo@@x' }, 'Not valid'],
		['missing because the request has no body', ['Email'], undefined, 'Not valid'],
		['one of several records', ['contacts[1].Email'], [{ Email: 'a' }, { Email: 'b@@' }], 'No'],
		['a code', ['code'], { code: '482' }, 'Not valid'],
		['a PIN', ['/PIN'], { pin: '12' }, 'Not valid'],
		['a token', ['access_token'], { access_token: 'a'.repeat(70) }, 'Not valid'],
	])('is not quoted if it is %s', (_, fields, sentBody, message) => {
		expect(quoteRejectedValues(fields, sentBody, message)).toBe('');
	});
});

describe('the message of a failure', () => {
	const messageFor = (explanation: Explanation, json: unknown) =>
		toFailure(
			{ status: 400, headers: {}, kind: 'json', body: {} },
			{ name: 'toy service', credentialType: '', secretFields: [], explain: () => explanation },
			{ json },
		).message;

	it('quotes the value of the field that the service names', () => {
		expect(messageFor({ message: 'Not valid', fields: ['Email'] }, { Email: 'jo@@x' })).toBe(
			'Toy service: Not valid. The value was "jo@@x".',
		);
	});

	it('quotes the value at the path that a validator names', () => {
		const message = 'body/user/email must match pattern "^x$"';
		expect(messageFor({ message, fields: [] }, { user: { email: 'jo@@x' } })).toBe(
			'Toy service: "user.email" is not valid. The value was "jo@@x".',
		);
	});

	it('quotes nothing if requests to the service contain secrets', () => {
		const service = {
			...{
				name: 'toy service',
				credentialType: '',
				secretFields: [],
				hidesSentValues: true as const,
			},
			explain: () => ({ message: 'Not valid', fields: ['answer'] }),
		};
		const response = { status: 400, headers: {}, kind: 'json' as const, body: {} };
		expect(toFailure(response, service, { json: { answer: '12' } }).message).toBe(
			'Toy service: Not valid',
		);
	});

	it.each([
		['Not valid', 'Toy service: Not valid (60004). The value was "jo@@x".'],
		['Not valid.', 'Toy service: Not valid (60004). The value was "jo@@x".'],
	])('has the code before the quoted value: %s', (message, expected) => {
		const explanation = { message, code: '60004', fields: ['Email'] };
		expect(messageFor(explanation, { Email: 'jo@@x' })).toBe(expected);
	});

	it('has the code in place of the full stop at the end', () => {
		expect(messageFor({ message: 'Not valid.', code: '60004' }, {})).toBe(
			'Toy service: Not valid (60004)',
		);
	});

	it('quotes nothing if no field is named', () => {
		expect(messageFor({ message: 'Not valid' }, { Email: 'jo@@x' })).toBe('Toy service: Not valid');
	});
});

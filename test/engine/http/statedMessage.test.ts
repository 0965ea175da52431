// Protects users from errors without a reason: the words of an error body are found in any usual format.
import { statedMessage } from '../../../nodes/engine/http/statedMessage';

const words = 'The record is locked';

it.each([
	words,
	{ message: words },
	{ Message: words },
	{ error_description: words, error: 'locked' },
	{ type: 'about:blank', title: 'Locked', status: 423, detail: words },
	{ error: { code: 42, message: words } },
	{ error: { error: { message: words } } },
	{ errors: [{ message: words }] },
	{ errors: [words, words] },
	{ errors: [{ detail: words, source: { pointer: '/name' } }] },
	[{ errorCode: 'E42', message: words }],
	{ reason: words },
	{ Fault: { faultstring: words } },
	`  ${words}\n`,
])('reads the words of %j', (body) => {
	expect(statedMessage(body)).toBe(words);
});

it('names the fields of an object of errors', () => {
	expect(statedMessage({ errors: { email: ['is taken'], name: 'is blank' } })).toBe(
		'email: is taken; name: is blank',
	);
});

it.each([
	undefined,
	null,
	42,
	'',
	'42',
	'<html><body>Locked</body></html>',
	'{"message": "cut o',
	'x'.repeat(301),
	{},
	{ message: '' },
	{ message: 7 },
	{ name: words },
	{ a: { b: { message: words } } },
	[[[[words]]]],
	[],
])('finds none in %j', (body) => {
	expect(statedMessage(body)).toBeUndefined();
});

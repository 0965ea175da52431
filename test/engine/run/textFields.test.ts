// Protects values of text fields: each type is sent as text with all digits, a list is rejected, no error shows a secret.
import type { IDataObject } from 'n8n-workflow';

import { collection, field } from '../../../nodes/engine/field';
import { operation } from '../../../nodes/engine/operation';
import { locateById } from '../../support/locators';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

const text = { type: 'string', default: '', target: { in: 'body' } } as const;
const room = field({ ...text, displayName: 'Room', name: 'room' });
const kind = field({
	...text,
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	options: [{ name: 'Plain', value: 'plain' }],
});
const pin = field({ ...text, displayName: 'Pin', name: 'pin', secret: true });
const word = field({ ...text, displayName: 'Word', name: 'word', target: { in: 'query' } });
const note = field({ ...text, displayName: 'Note', name: 'note' });

/** A field with a resource locator whose value is an ID. */
const locatorField = <Name extends string>(
	displayName: string,
	name: Name,
	place: 'body' | 'path',
) =>
	field({
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'id', value: '' },
		modes: [{ displayName: 'By ID', name: 'id', type: 'string' }],
		target: { in: place },
	});

const make = operation({
	...operationTexts,
	request: 'POST /things',
	fields: {
		room,
		kind,
		owner: locatorField('Owner', 'owner', 'body'),
		pin,
		word,
		more: collection({ displayName: 'More', name: 'more', options: [note] }),
	},
	effect: 'the thing was made',
});
const change = operation({
	...operationTexts,
	request: 'POST /things/{thing}',
	fields: { thing: locatorField('Thing', 'thing', 'path') },
	effect: 'the thing was changed',
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
	server.respondWith((_, response) => sendJson(response, 200, { ok: true }));
});
afterAll(async () => await server.close());
beforeEach(() => void (server.requests.length = 0));

const run = (parameters: object, item: IDataObject = {}) =>
	runNode(
		toyKit(toyService({ make, change }), server.url),
		'toy',
		{ resource: 'thing', operation: 'make', ...parameters },
		[item],
	);
const readSentBody = () => JSON.parse(server.requests[0]!.body);

describe('a text field', () => {
	it('the value is sent as a string, whatever type an expression returns', async () => {
		const { error } = await run(
			{
				room: '={{ $json.number }}',
				kind: '={{ $json.yes }}',
				owner: locateById('={{ $json.number }}'),
				pin: '={{ $json.zero }}',
				word: '={{ $json.huge }}',
				more: { note: '={{ $json.tiny }}' },
			},
			{ number: 204, yes: true, zero: 0, huge: 1e21, tiny: -1.5e-7 },
		);
		expect(error).toBeUndefined();
		expect(server.requests[0]!.url).toBe('/things?word=1000000000000000000000');
		expect(readSentBody()).toEqual({
			room: '204',
			kind: 'true',
			owner: '204',
			pin: '0',
			note: '-0.00000015',
		});
	});

	it.each([
		[
			'={{ DateTime.fromISO("2026-11-30T09:00:00.000Z", { zone: "utc" }) }}',
			'2026-11-30T09:00:00.000Z',
		],
		['={{ new Date(0) }}', '1970-01-01T00:00:00.000Z'],
		['={{ 9007199254740993n }}', '9007199254740993'],
		['={{ false }}', 'false'],
		['={{ " as it is " }}', ' as it is '],
		['Room {{ 204 }}', 'Room {{ 204 }}'],
		['=Room {{ 204 }}', 'Room 204'],
	])('the value of %s is sent as a string', async (room, expectedText) => {
		const { error } = await run({ room });
		expect(error).toBeUndefined();
		expect(readSentBody()).toEqual({ room: expectedText });
	});

	it.each(['={{ null }}', '={{ undefined }}', '={{ "" }}'])(
		'the empty value of %s is not sent',
		async (room) => {
			const { error } = await run({ room, kind: room, owner: locateById(room), word: room });
			expect(error).toBeUndefined();
			expect(server.requests[0]).toMatchObject({ url: '/things', body: '' });
		},
	);

	it.each([
		['={{ [] }}', 'not a list', 'pick one entry'],
		['={{ ({ city: "Lisbon" }) }}', 'not an object', 'pick one property'],
		['={{ 0 / 0 }}', "can't be read", 'is not valid'],
		['={{ DateTime.fromISO("never") }}', "can't be read", 'is not valid'],
	])('the value of %s is rejected before any request', async (value, message, advice) => {
		const { error } = await run({ room: value });
		expect(error?.message).toMatch(/^'Room' must be text/);
		expect(error?.message).toContain(message);
		expect((error as { description?: string }).description).toContain(advice);
		expect(server.requests).toHaveLength(0);
	});

	it.each(['={{ 48291370000n }}', '={{ 1e21 }}', '={{ 4829137 }}'])(
		'the secret value of %s does not appear in errors',
		async (pin) => {
			server.respondWith(({ body }, response) => sendJson(response, 400, { message: body }));
			const { error } = await run({ pin });
			server.respondWith((_, response) => sendJson(response, 200, { ok: true }));
			expect(error?.message).toBe('Toy service: {"pin":"•••"}');
		},
	);

	it('a rejected secret value does not appear in errors', async () => {
		const { error } = await run({ pin: '={{ ["4829137"] }}' });
		expect(error?.message).toBe("'Pin' must be text, not a list");
		expect(JSON.stringify(error)).not.toContain('4829137');
	});
});

describe('an ID in a resource locator', () => {
	const tooLongNumber = '={{ 12345678901234567890 }}';

	it.each([
		['the body', { owner: locateById(tooLongNumber) }, 'Owner'],
		['the path', { operation: 'change', thing: locateById(tooLongNumber) }, 'Thing'],
	])(
		'a number that is too long to keep all digits is rejected in %s',
		async (_, parameters, label) => {
			const { error } = await run(parameters);
			expect(error?.message).toBe(`'${label}' is too long for a number`);
			expect((error as { description?: string }).description).toContain('as text: a number');
			expect(server.requests).toHaveLength(0);
		},
	);

	it.each([
		['={{ "12345678901234567890" }}', '12345678901234567890'],
		['={{ 12345678901234567890n }}', '12345678901234567890'],
		['={{ 7 }}', '7'],
	])('the value of %s is sent with all digits in body and path', async (value, id) => {
		await run({ owner: locateById(value) });
		expect(readSentBody()).toEqual({ owner: id });
		server.requests.length = 0;
		await run({ operation: 'change', thing: locateById(value) });
		expect(server.requests[0]!.url).toBe(`/things/${id}`);
	});
});

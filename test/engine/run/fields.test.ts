import type { IDataObject } from 'n8n-workflow';

import { collection, field, optional, shownIf } from '../../../nodes/engine/field';
import { operation } from '../../../nodes/engine/operation';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

const kind = field({
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	options: [
		{ name: 'Plain', value: 'plain' },
		{ name: 'Special', value: 'special' },
	],
	default: 'plain',
});
const special = field({
	displayName: 'Special',
	name: 'special',
	type: 'string',
	default: '',
	required: true,
	displayOptions: { show: { kind: ['special'] } },
	target: { in: 'body' },
});
const hiddenPick = field({
	displayName: 'Pick',
	name: 'pick',
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	displayOptions: { show: { kind: ['special'] } },
	modes: [{ displayName: 'By ID', name: 'id', type: 'string' }],
	target: { in: 'body' },
});
const strict = field({
	displayName: 'Strict',
	name: 'strict',
	type: 'string',
	default: '',
	readWhenBlank: true,
	read: (given) => given !== 'no',
	target: { in: 'query' },
});

const word = field({
	displayName: 'Word',
	name: 'word',
	type: 'string',
	default: 'w',
	required: true,
	// As many readers do: nothing remains of what only looks filled in.
	read: (given) => `${given}`.replace(/[\s-]/g, '') || undefined,
	target: { in: 'query' },
});

const effect = 'the thing was made';
const make = operation({
	...operationTexts,
	request: 'POST /things',
	fields: { kind, special, pick: hiddenPick, strict },
	effect,
});
const say = operation({ ...operationTexts, request: 'POST /things', fields: { word }, effect });

const thingField = field({
	displayName: 'Thing',
	name: 'thing',
	type: 'string',
	default: '',
	required: true,
	target: { in: 'path' },
});
const step = field({ displayName: 'Step', name: 'step', type: 'number', default: 1 });
let readings = 0;
const count = field({
	displayName: 'Count',
	name: 'count',
	type: 'number',
	default: 0,
	read: (given, reading) => {
		readings++;
		return Number(given) + Number(reading.rawValue(step));
	},
	target: { in: 'query' },
});
const note = field({ displayName: 'Note', name: 'note', type: 'string', default: '' });
const more = collection({ displayName: 'More', name: 'more', options: [note, optional(word)] });
const moodField = field({ displayName: 'Mood', name: 'mood', type: 'string', default: '' });

const gotten: unknown[] = [];
const tellOperation = operation({
	...operationTexts,
	request: 'GET /things/{thing}',
	fields: { thing: thingField, kind, special, more, count, step },
	options: { mood: moodField, note },
	idempotent: true,
	output: (_, values) => {
		gotten.push(values);
		return { count: values.count };
	},
});
/** Goes through the items twice, and asks for the request besides. */
const twice = (releasesValues: boolean) =>
	operation({
		...operationTexts,
		request: 'GET /things/{thing}',
		fields: { thing: thingField, count, step },
		idempotent: true,
		runBatch: async (batch) => {
			await batch.each(async (_, call) => ({ path: (await call.buildRequest()).path }), {
				releasesValues,
			});
			return await batch.each(async (values) => ({ thing: values.thing, count: values.count }));
		},
	});
const [tellTwice, tellAgain] = [twice(false), twice(true)];

const rejecting = { default: '', rejectBlank: true } as const;
const check = field({ ...rejecting, displayName: 'Check', name: 'check', type: 'string' });
const choice = field({
	...rejecting,
	displayName: 'Choice',
	name: 'choice',
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	modes: [{ displayName: 'By ID', name: 'id', type: 'string' }],
});
const limit = field({ ...rejecting, displayName: 'Limit', name: 'limit', type: 'string' });
const inside = field({ ...rejecting, displayName: 'Inside', name: 'inside', type: 'string' });
const checks = collection({ displayName: 'Checks', name: 'checks', options: [inside] });
const verify = operation({
	...operationTexts,
	request: 'POST /things',
	fields: { kind, check: shownIf(check, { kind: ['plain'] }), choice, checks },
	options: { limit },
	effect,
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
	server.respondWith((_, response) => sendJson(response, 200, { ok: true }));
});
afterAll(async () => await server.close());
beforeEach(() => void (server.requests.length = 0));

const run = (parameters: object, items: IDataObject[] = [{ nothing: null }]) =>
	runNode(
		toyKit(
			toyService({ make, say, tell: tellOperation, tellTwice, tellAgain, verify }),
			server.url,
		),
		'toy',
		{ resource: 'thing', operation: 'make', ...parameters },
		items,
	);

describe('a field that depends on another field', () => {
	it('is neither sent nor required while it is hidden', async () => {
		const { outputItems, error } = await run({});
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([{ ok: true }]);
		expect(server.requests[0]!.body).toBe('');
	});

	it('is sent while it is shown', async () => {
		await run({ kind: 'special', special: 'x', pick: { __rl: true, mode: 'id', value: '7' } });
		expect(JSON.parse(server.requests[0]!.body)).toEqual({ special: 'x', pick: '7' });
	});

	it('is required while it is shown, even if an expression returns null', async () => {
		const { error } = await run({ kind: 'special', special: '={{ $json.nothing }}' });
		expect(error?.message).toBe("'Special' is missing");
		expect(server.requests).toHaveLength(0);
	});
});

describe('a required field', () => {
	it.each(['', ' ', ' \t\n', '\u00a0'])('is missing if its value is %j', async (blank) => {
		const { error } = await run({ kind: 'special', special: `={{ ${JSON.stringify(blank)} }}` });
		expect(error?.message).toBe("'Special' is missing");
		expect(server.requests).toHaveLength(0);
	});

	it('is missing if its value becomes empty after reading', async () => {
		const { error } = await run({ operation: 'say', word: ' - ' });
		expect(error?.message).toBe("'Word' is missing");
		expect(server.requests).toHaveLength(0);
	});

	it.each([
		['={{ 0 }}', '/things?word=0'],
		['={{ false }}', '/things?word=false'],
		[' a ', '/things?word=a'],
	])('is present if its value is %s', async (value, url) => {
		await run({ operation: 'say', word: value });
		expect(server.requests[0]!.url).toBe(url);
	});
});

describe('a field with readWhenBlank', () => {
	it.each([
		['left alone', {}],
		['empty', { strict: '' }],
		['an expression that gives nothing', { strict: '={{ $json.nothing }}' }],
	])('is sent even when blank: %s', async (_, parameters) => {
		await run(parameters);
		expect(server.requests[0]!.url).toBe('/things?strict=true');
	});

	it('is sent with the value that the user set', async () => {
		await run({ strict: 'no' });
		expect(server.requests[0]!.url).toBe('/things?strict=false');
	});
});

describe('the values passed to an operation', () => {
	beforeEach(() => {
		readings = 0;
		gotten.length = 0;
	});

	it('are the values sent, keyed by the names of fields and options', async () => {
		const { outputItems, error } = await run({
			operation: 'tell',
			thing: ' a/7 ',
			count: '={{ "40" }}',
			step: 2,
			more: { word: ' - x' },
			options: { mood: '={{ 5 }}' },
		});
		expect(error).toBeUndefined();
		expect(server.requests[0]!.url).toBe('/things/a%2F7?word=x&count=42');
		expect(gotten).toEqual([
			{ thing: 'a/7', kind: 'plain', more: { word: 'x' }, count: 42, step: 2, mood: '5' },
		]);
		expect(outputItems).toEqual([{ count: 42 }]);
	});

	it('do not contain a hidden field, whatever its value', async () => {
		await run({ operation: 'tell', thing: 'a', special: 'x' });
		await run({ operation: 'tell', thing: 'a', special: 'x', kind: 'special' });
		expect(gotten).toMatchObject([{ kind: 'plain' }, { kind: 'special', special: 'x' }]);
		expect(gotten[0]).not.toHaveProperty('special');
	});

	it.each([
		['once for each item, however often they are accessed', 'tellTwice', 2],
		['again after the operation has released them', 'tellAgain', 4],
	])('are read %s', async (_, operation, expected) => {
		const { outputItems, error } = await run({ operation, thing: '={{ $json.thing }}', count: 1 }, [
			{ thing: 'a' },
			{ thing: ' b ' },
		]);
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ thing: 'a', count: 2 },
			{ thing: 'b', count: 2 },
		]);
		expect(readings).toBe(expected);
	});
});

describe('a field that rejects blank values', () => {
	const verified = async (parameters: object) =>
		(await run({ operation: 'verify', ...parameters })).error?.message;
	const locator = (value: string) => ({ __rl: true, mode: 'id', value });

	it('may be empty or absent', async () => {
		expect(await verified({})).toBeUndefined();
		expect(await verified({ check: '', choice: locator(''), checks: {}, options: {} })).toBe(
			undefined,
		);
		expect(await verified({ check: 'a', choice: locator('b'), options: { limit: 'c' } })).toBe(
			undefined,
		);
		expect(await verified({ kind: 'special', check: '={{ $json.nothing }}' })).toBeUndefined();
		expect(server.requests).toHaveLength(4);
	});

	it.each<[string, object]>([
		['Check', { check: '={{ $json.nothing }}' }],
		['Check', { check: '={{ $json.unheardOf }}' }],
		['Check', { check: ' ' }],
		['Choice', { choice: locator('={{ $json.nothing }}') }],
		['Limit', { options: { limit: '' } }],
		['Limit', { options: { limit: '={{ $json.nothing }}' } }],
		['Limit', { options: { limit: '={{ $json.unheardOf }}' } }],
		['Inside', { checks: { inside: '' } }],
		['Inside', { checks: { inside: '={{ $json.nothing }}' } }],
	])("fails before any request if it is set but blank: '%s' of %j", async (label, parameters) => {
		expect(await verified(parameters)).toBe(`'${label}' was set but is blank`);
		expect(server.requests).toHaveLength(0);
	});
});

// Protects the values of a node's fields: shown ones are sent, hidden ones are not, and a missing one prevents the request.
import type { IDataObject } from 'n8n-workflow';

import { collection, field, optional, shownIf } from '../../../nodes/engine/field';
import { operation } from '../../../nodes/engine/operation';
import { locateById } from '../../support/locators';
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
	read: (value) => value !== 'no',
	target: { in: 'query' },
});

const word = field({
	displayName: 'Word',
	name: 'word',
	type: 'string',
	default: 'w',
	required: true,
	// Like many readers, returns undefined for a value without significant characters.
	read: (value) => `${value}`.replace(/[\s-]/g, '') || undefined,
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
let readCount = 0;
const count = field({
	displayName: 'Count',
	name: 'count',
	type: 'number',
	default: 0,
	read: (value, reading) => {
		readCount++;
		return Number(value) + Number(reading.rawValue(step));
	},
	target: { in: 'query' },
});
const note = field({ displayName: 'Note', name: 'note', type: 'string', default: '' });
const more = collection({ displayName: 'More', name: 'more', options: [note, optional(word)] });
const moodField = field({ displayName: 'Mood', name: 'mood', type: 'string', default: '' });

const receivedValues: unknown[] = [];
const recordValues = operation({
	...operationTexts,
	request: 'GET /things/{thing}',
	fields: { thing: thingField, kind, special, more, count, step },
	options: { mood: moodField, note },
	idempotent: true,
	output: (_, values) => {
		receivedValues.push(values);
		return { count: values.count };
	},
});
/** Processes the items twice, and builds the request of each. */
const readTwiceOperation = (releasesValues: boolean) =>
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
const [readTwice, readAgain] = [readTwiceOperation(false), readTwiceOperation(true)];

const rejectsBlank = { default: '', rejectBlank: true } as const;
const check = field({ ...rejectsBlank, displayName: 'Check', name: 'check', type: 'string' });
const choice = field({
	...rejectsBlank,
	displayName: 'Choice',
	name: 'choice',
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	modes: [{ displayName: 'By ID', name: 'id', type: 'string' }],
});
const limit = field({ ...rejectsBlank, displayName: 'Limit', name: 'limit', type: 'string' });
const inside = field({ ...rejectsBlank, displayName: 'Inside', name: 'inside', type: 'string' });
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

const service = toyService({ make, say, recordValues, readTwice, readAgain, verify });
const run = (parameters: object, items: IDataObject[] = [{ nothing: null }]) =>
	runNode(
		toyKit(service, server.url),
		'toy',
		{ resource: 'thing', operation: 'make', ...parameters },
		items,
	);

describe('a field that is shown for some values of another field', () => {
	it('a hidden field is neither sent nor required', async () => {
		const { outputItems, error } = await run({});
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([{ ok: true }]);
		expect(server.requests[0]!.body).toBe('');
	});

	it('a shown field is sent', async () => {
		await run({ kind: 'special', special: 'x', pick: locateById('7') });
		expect(JSON.parse(server.requests[0]!.body)).toEqual({ special: 'x', pick: '7' });
	});

	it('a shown field is missing if an expression returns null', async () => {
		const { error } = await run({ kind: 'special', special: '={{ $json.nothing }}' });
		expect(error?.message).toBe("'Special' is missing");
		expect(server.requests).toHaveLength(0);
	});
});

describe('a required field', () => {
	it.each([' \t\n', '\u00a0'])('the value %j counts as missing', async (blank) => {
		const { error } = await run({ kind: 'special', special: `={{ ${JSON.stringify(blank)} }}` });
		expect(error?.message).toBe("'Special' is missing");
		expect(server.requests).toHaveLength(0);
	});

	it('a value that is empty after reading counts as missing', async () => {
		const { error } = await run({ operation: 'say', word: ' - ' });
		expect(error?.message).toBe("'Word' is missing");
		expect(server.requests).toHaveLength(0);
	});

	it.each([
		['={{ 0 }}', '/things?word=0'],
		['={{ false }}', '/things?word=false'],
		[' a ', '/things?word=a'],
	])('the value %s is sent', async (value, url) => {
		await run({ operation: 'say', word: value });
		expect(server.requests[0]!.url).toBe(url);
	});
});

describe('a field with readWhenBlank', () => {
	it.each([
		['absent', {}],
		['empty', { strict: '' }],
		['an expression that returns null', { strict: '={{ $json.nothing }}' }],
	])('is sent with the value of its reader if it is %s', async (_, parameters) => {
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
		readCount = 0;
		receivedValues.length = 0;
	});

	it('equal the values that are sent, keyed by the names of fields and options', async () => {
		const { outputItems, error } = await run({
			operation: 'recordValues',
			thing: ' a/7 ',
			count: '={{ "40" }}',
			step: 2,
			more: { word: ' - x' },
			options: { mood: '={{ 5 }}' },
		});
		expect(error).toBeUndefined();
		expect(server.requests[0]!.url).toBe('/things/a%2F7?word=x&count=42');
		expect(receivedValues).toEqual([
			{ thing: 'a/7', kind: 'plain', more: { word: 'x' }, count: 42, step: 2, mood: '5' },
		]);
		expect(outputItems).toEqual([{ count: 42 }]);
	});

	it('contain no hidden field', async () => {
		await run({ operation: 'recordValues', thing: 'a', special: 'x' });
		await run({ operation: 'recordValues', thing: 'a', special: 'x', kind: 'special' });
		expect(receivedValues).toMatchObject([{ kind: 'plain' }, { kind: 'special', special: 'x' }]);
		expect(receivedValues[0]).not.toHaveProperty('special');
	});

	it.each([
		['once for each item, however often they are accessed', 'readTwice', 2],
		['again after the operation has released them', 'readAgain', 4],
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
		expect(readCount).toBe(expected);
	});
});

describe('a field that rejects blank values', () => {
	const runVerify = async (parameters: object) =>
		(await run({ operation: 'verify', ...parameters })).error?.message;

	it('may be empty, absent or hidden', async () => {
		expect(await runVerify({})).toBeUndefined();
		expect(await runVerify({ check: '', choice: locateById(''), checks: {}, options: {} })).toBe(
			undefined,
		);
		expect(await runVerify({ check: 'a', choice: locateById('b'), options: { limit: 'c' } })).toBe(
			undefined,
		);
		expect(await runVerify({ kind: 'special', check: '={{ $json.nothing }}' })).toBeUndefined();
		expect(server.requests).toHaveLength(4);
	});

	it.each<[string, object]>([
		['Check', { check: '={{ $json.nothing }}' }],
		['Check', { check: '={{ $json.unheardOf }}' }],
		['Check', { check: ' ' }],
		['Choice', { choice: locateById('={{ $json.nothing }}') }],
		['Limit', { options: { limit: '' } }],
		['Limit', { options: { limit: '={{ $json.nothing }}' } }],
		['Inside', { checks: { inside: '' } }],
		['Inside', { checks: { inside: '={{ $json.nothing }}' } }],
	])("fails before any request if it is set but blank: '%s' of %j", async (label, parameters) => {
		expect(await runVerify(parameters)).toBe(`'${label}' was set but is blank`);
		expect(server.requests).toHaveLength(0);
	});
});

import type { Field, Operation } from '../../nodes/engine/operation';
import { json, startToyServer, toyKit, toyService } from '../support/toy';
import type { ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';

const kind: Field = {
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	options: [
		{ name: 'Plain', value: 'plain' },
		{ name: 'Special', value: 'special' },
	],
	default: 'plain',
};
const special: Field = {
	displayName: 'Special',
	name: 'special',
	type: 'string',
	default: '',
	required: true,
	displayOptions: { show: { kind: ['special'] } },
	target: { in: 'body' },
};
const hiddenPick: Field = {
	displayName: 'Pick',
	name: 'pick',
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	displayOptions: { show: { kind: ['special'] } },
	modes: [{ displayName: 'By ID', name: 'id', type: 'string' }],
	target: { in: 'body' },
};
const strict: Field = {
	displayName: 'Strict',
	name: 'strict',
	type: 'string',
	default: '',
	target: { in: 'query', evenBlank: true, value: (given) => given !== 'no' },
};

const word: Field = {
	displayName: 'Word',
	name: 'word',
	type: 'string',
	default: 'w',
	required: true,
	// As many converters do: nothing remains of what only looks filled in.
	target: {
		in: 'query',
		value: (given) => `${given as string}`.replace(/[\s-]/g, '') || undefined,
	},
};

const make: Operation = {
	name: 'Make',
	action: 'Make it',
	description: 'Makes it',
	request: { method: 'POST', path: '/things' },
	fields: [kind, special, hiddenPick, strict],
};
const say: Operation = { ...make, name: 'Say', fields: [word] };

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
	server.answer((_, response) => json(response, 200, { ok: true }));
});
afterAll(async () => await server.close());
beforeEach(() => void (server.received.length = 0));

const run = (parameters: object) =>
	runNode(
		toyKit(toyService({ make, say }), server.url),
		'toy',
		{ resource: 'thing', operation: 'make', ...parameters } as never,
		[{ nothing: null }],
	);

describe('a field that another field hides', () => {
	it('is neither sent nor missed', async () => {
		const { out, error } = await run({});
		expect(error).toBeUndefined();
		expect(out).toEqual([{ ok: true }]);
		expect(server.received[0]!.body).toBe('');
	});

	it('is sent once it is shown', async () => {
		await run({ kind: 'special', special: 'x', pick: { __rl: true, mode: 'id', value: '7' } });
		expect(JSON.parse(server.received[0]!.body)).toEqual({ special: 'x', pick: '7' });
	});

	it('is missed when it is shown and required, even if an expression gives null', async () => {
		const { error } = await run({ kind: 'special', special: '={{ $json.nothing }}' });
		expect(error?.message).toBe('Special is missing');
		expect(server.received).toHaveLength(0);
	});
});

describe('a field that is required', () => {
	it.each(['', ' ', ' \t\n', '\u00a0'])('is missed when it holds %j', async (blank) => {
		const { error } = await run({ kind: 'special', special: `={{ ${JSON.stringify(blank)} }}` });
		expect(error?.message).toBe('Special is missing');
		expect(server.received).toHaveLength(0);
	});

	it('is missed when nothing remains of what it holds', async () => {
		const { error } = await run({ operation: 'say', word: ' - ' });
		expect(error?.message).toBe('Word is missing');
		expect(server.received).toHaveLength(0);
	});

	it.each([
		['={{ 0 }}', '/things?word=0'],
		['={{ false }}', '/things?word=false'],
		[' a ', '/things?word=a'],
	])('is there when it holds %s', async (value, url) => {
		await run({ operation: 'say', word: value });
		expect(server.received[0]!.url).toBe(url);
	});
});

describe('a field whose target counts even when blank', () => {
	it.each([
		['left alone', {}],
		['empty', { strict: '' }],
		['an expression that gives nothing', { strict: '={{ $json.nothing }}' }],
	])('is asked for its value: %s', async (_, parameters) => {
		await run(parameters);
		expect(server.received[0]!.url).toBe('/things?strict=true');
	});

	it('still takes what the user gave', async () => {
		await run({ strict: 'no' });
		expect(server.received[0]!.url).toBe('/things?strict=false');
	});
});

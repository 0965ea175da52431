import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { BadInput } from '../../../nodes/engine/errors';
import { field } from '../../../nodes/engine/field';
import { toPathSegment } from '../../../nodes/engine/http/path';
import { operation } from '../../../nodes/engine/operation';
import type { execute } from '../../../nodes/engine/run/execute';
import { json, startToyServer, toyKit, toyService, words } from '../../support/toy';
import type { Received, ToyServer } from '../../support/toy';
import { runNode, runWorkflow } from '../../support/workflow';
import type { Kit } from '../../support/workflow';

// n8n runs a node again as a whole when it fails (Retry On Fail). What it has sent must not be sent again.

const name = field({
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	target: { in: 'body' },
});
const path = { ...name, target: { in: 'path' } as const };

/** What expressions come to changes with every try. */
let clock = 0;
let expiries = 0;
const moment = field({
	displayName: 'Moment',
	name: 'moment',
	type: 'string',
	default: '',
	read: (given): unknown => {
		if (given === 'expires' && ++expiries > 1) throw new BadInput("'Moment' is in the past");
		return `${clock++}`;
	},
	target: { in: 'body' },
});
const code = { ...name, secret: true };

const service = toyService({
	make: operation({
		...words,
		request: 'POST /things',
		fields: { name, moment },
		effect: 'the thing was made',
	}),
	get: operation({
		...words,
		request: 'GET /things/{name}',
		fields: { name: path },
		idempotent: true,
	}),
	remove: operation({
		...words,
		request: 'DELETE /things/{name}',
		fields: { name: path },
		idempotent: true,
	}),
	spend: operation({
		...words,
		request: 'POST /codes',
		fields: { name: code },
		effect: 'the code was checked',
	}),
	/** Reserves, then looks, then pays; hints at what it did. */
	book: operation({
		...words,
		fields: { name },
		effect: 'it was booked',
		run: async ({ name: what }, call) => {
			const of = { params: { what: toPathSegment('Name', what) }, effect: 'it was booked' };
			const reserved = await call.send({ method: 'POST', path: '/reserve/{what}', ...of });
			call.hint(`Reserved ${what}`);
			await call.send({ method: 'GET', path: '/look', idempotent: true });
			const paid = await call.send({ method: 'POST', path: '/pay/{what}', ...of });
			return { reserved: reserved.body, paid: paid.body } as IDataObject;
		},
	}),
});

let server: ToyServer;
let kit: Kit;
beforeAll(async () => {
	server = await startToyServer();
	kit = toyKit(service, server.url);
});
beforeEach(() => {
	clock = 0;
	expiries = 0;
});
afterAll(async () => await server.close());

const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const onward = { ...retry, onError: 'continueRegularOutput' as const };
const items = (...names: string[]) => names.map((one) => ({ name: one }));
const run = async (what: string, input: IDataObject[], node: object = retry, more = {}) =>
	await runNode(
		kit,
		'toy',
		{ resource: 'thing', operation: what, name: '={{ $json.name }}', ...more },
		input,
		node,
	);

const nameIn = ({ url, body }: Received) =>
	body ? (JSON.parse(body) as { name: string }).name : url.split('/').pop()!;
const sent = () => server.received.map(nameIn);
type Answering = (response: Parameters<typeof json>[0]) => void;
const rejected: Answering = (response) => json(response, 400, { message: 'Not now' });
const failed: Answering = (response) => json(response, 500, { message: 'Oh no' });
const lost: Answering = (response) => void response.destroy();

/** Fails the first time that a name arrives, in the way that the test says; otherwise answers with a number. */
function failFirst(ways: Record<string, Answering>): void {
	const seen = new Set<string>();
	server.answer((request, response, count) => {
		const one = nameIn(request);
		const way = seen.has(one) ? undefined : ways[one];
		seen.add(one);
		if (way) way(response);
		else json(response, 200, { count, name: one });
	});
}

describe('a repeated run', () => {
	it('sends what was rejected, and nothing else again', async () => {
		failFirst({ b: rejected });
		const { out, error } = await run('make', items('a', 'b', 'c'));
		expect(error).toBeUndefined();
		expect(sent()).toEqual(['a', 'b', 'b', 'c']);
		expect(out).toEqual([
			{ count: 1, name: 'a' },
			{ count: 3, name: 'b' },
			{ count: 4, name: 'c' },
		]);
	});

	it.each([
		['lost', lost, /broke before it answered/],
		['a failure of the service', failed, /Oh no/],
	])('does not send again when the answer was %s, and says the same', async (_, way, message) => {
		failFirst({ b: way });
		const { error } = await run('make', items('a', 'b', 'c'));
		expect(sent()).toEqual(['a', 'b']);
		expect(error!.message).toMatch(message);
		expect((error as { description?: string }).description).toMatch(
			/unclear whether the thing was made/,
		);
	});

	it.each([
		['rejected', rejected, ['a', 'b', 'c', 'a'], undefined],
		['lost', lost, ['a', 'b', 'c'], /broke before it answered/],
	])('with Continue On Fail, when the first item was %s', async (_, way, requests, error) => {
		failFirst({ a: way });
		const { out } = await run('make', items('a', 'b', 'c'), onward);
		expect(sent()).toEqual(requests);
		expect(out).toHaveLength(3);
		expect(out.slice(1)).toEqual([
			{ count: 2, name: 'b' },
			{ count: 3, name: 'c' },
		]);
		if (error) expect(out[0]!.error).toMatch(error);
		else expect(out[0]).toEqual({ count: 4, name: 'a' });
	});

	it('sends two items with equal contents', async () => {
		failFirst({ b: rejected });
		const { out } = await run('make', items('a', 'a', 'b'));
		expect(sent()).toEqual(['a', 'a', 'b', 'b']);
		expect(out).toHaveLength(3);
	});

	it('does not send again what expressions make anew', async () => {
		failFirst({ b: rejected });
		const { error } = await run('make', items('a', 'b'), retry, { moment: '={{ $now }}' });
		expect(error).toBeUndefined();
		expect(sent()).toEqual(['a', 'b', 'b']);
		// What was surely not carried out is sent as it is now.
		const moments = server.received.map(({ body }) => (JSON.parse(body) as IDataObject).moment);
		expect(moments).toEqual(['0', '1', '2']);
	});

	it('does not fail what was done, whatever expressions come to by then', async () => {
		failFirst({ b: rejected });
		const { error, out } = await run('make', items('a', 'b'), retry, {
			moment: '={{ $json.name === "a" ? "expires" : "" }}',
		});
		expect(error).toBeUndefined();
		expect(out[0]).toEqual({ count: 1, name: 'a' });
	});

	it('deletes nothing twice, which would not be found', async () => {
		failFirst({ b: rejected });
		const { out, error } = await run('remove', items('a', 'b'));
		expect(error).toBeUndefined();
		expect(sent()).toEqual(['a', 'b', 'b']);
		expect(out).toHaveLength(2);
	});

	it('reads again what only reads', async () => {
		failFirst({ b: rejected });
		await run('get', items('a', 'b'), retry, { options: { itemsAtATime: 1 } });
		expect(sent()).toEqual(['a', 'b', 'a', 'b']);
	});

	it('asks again, once, for equal items of what only reads', async () => {
		failFirst({ b: rejected });
		const options = { itemsAtATime: 1, askOnce: true };
		const { out } = await run('get', items('a', 'a', 'b'), retry, { options });
		expect(sent()).toEqual(['a', 'b', 'a', 'b']);
		expect(out).toHaveLength(3);
	});

	it('goes on within an item that sends several requests', async () => {
		let payments = 0;
		server.answer(({ url }, response, count) =>
			url === '/pay/a' && ++payments === 1 ? rejected(response) : json(response, 200, { count }),
		);
		const { out, hints } = await run('book', items('a', 'b'));
		expect(server.received.map(({ url }) => url)).toEqual([
			'/reserve/a',
			'/look',
			'/pay/a',
			'/look',
			'/pay/a',
			'/reserve/b',
			'/look',
			'/pay/b',
		]);
		expect(out[0]).toEqual({ reserved: { count: 1 }, paid: { count: 5 } });
		expect(hints.map(({ message }) => message)).toEqual(['Reserved a', 'Reserved b']);
	});

	it('shows the hints of what it does not do again', async () => {
		let payments = 0;
		server.answer(({ url }, response) =>
			url === '/pay/b' && ++payments === 1 ? rejected(response) : json(response, 200, { ok: 1 }),
		);
		const { hints } = await run('book', items('a', 'b'));
		expect(hints.map(({ message }) => message)).toEqual(['Reserved a', 'Reserved b']);
	});

	it('keeps secrets out of the error that it repeats', async () => {
		server.answer(({ body }, response) => json(response, 500, { message: `Bad: ${body}` }));
		const { error } = await run('spend', items('secret-4711'));
		expect(server.received).toHaveLength(1);
		expect(error!.message).toBe('Toy service: Bad: {"name":"•••"}');
	});

	it('ends after as many tries as n8n makes', async () => {
		server.answer((request, response) =>
			nameIn(request) === 'b' ? rejected(response) : json(response, 200, {}),
		);
		const { error } = await run('make', items('a', 'b', 'c'));
		expect(sent()).toEqual(['a', 'b', 'b', 'b']);
		expect(error!.message).toBe('Toy service: Not now [item 1]');
	});

	it('sends everything again in another execution', async () => {
		server.answer((_, response) => json(response, 200, {}));
		await run('make', items('a'));
		await run('make', items('a'));
		expect(sent()).toEqual(['a', 'a']);
	});
});

describe('a node that runs several times in one execution', () => {
	/** n8n's Loop Over Items with a batch size of 1, as far as it hands on the very same items in every round. */
	class Loop implements INodeType {
		description: INodeType['description'] = {
			displayName: 'Loop',
			name: 'loop',
			group: ['input'],
			version: 1,
			description: 'Loop',
			defaults: { name: 'Loop' },
			inputs: ['main'],
			outputs: ['main', 'main'],
			properties: [],
		};

		async execute(this: IExecuteFunctions) {
			const context = this.getContext('node');
			context.first ??= this.getInputData();
			context.rounds = ((context.rounds as number | undefined) ?? 0) + 1;
			const round = context.first as ReturnType<typeof this.getInputData>;
			return (context.rounds as number) > 3 ? [round, []] : [[], round];
		}
	}

	it('sends in every run, and nothing twice in one of them', async () => {
		let count = 0;
		server.answer((request, response) =>
			// The second item, each time that it comes for the first time in a round.
			nameIn(request) === 'b' && ++count % 2 === 1 ? rejected(response) : json(response, 200, {}),
		);
		const { error } = await runWorkflow(
			{ ...kit, nodes: { ...kit.nodes, loop: Loop } },
			[
				{ name: 'Start', type: 'start' },
				{ name: 'Loop', type: 'loop' },
				{
					name: 'Node',
					type: 'toy',
					parameters: { resource: 'thing', operation: 'make', name: '={{ $json.name }}' },
					...retry,
				},
			],
			{
				Start: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
				Loop: { main: [[], [{ node: 'Node', type: 'main', index: 0 }]] },
				Node: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
			},
			items('a', 'b'),
		);
		expect(error).toBeUndefined();
		expect(sent()).toEqual(['a', 'b', 'b', 'a', 'b', 'b', 'a', 'b', 'b']);
	});
});

describe('the journal', () => {
	/** Runs the node with code that was loaded anew in every try, as after an update of the pack. */
	function updatedEachTime(): Kit {
		const Toy = kit.nodes.toy!;
		class Updated extends Toy {
			override execute = async function (this: IExecuteFunctions) {
				let fresh: { execute: typeof execute } | undefined;
				jest.isolateModules(() => {
					// eslint-disable-next-line @typescript-eslint/no-require-imports
					fresh = require('../../../nodes/engine/run/execute');
				});
				return (await fresh!.execute(this, service)) as never;
			};
		}
		return { ...kit, nodes: { toy: Updated } };
	}

	it.each([
		['done', rejected, ['a', 'b', 'b'], undefined],
		['uncertain', lost, ['a', 'b'], /^The connection to the toy service broke .* \[item 1\]$/],
	])('survives an update of the pack between two tries: %s', async (_, way, requests, message) => {
		failFirst({ b: way });
		const { error } = await runNode(
			updatedEachTime(),
			'toy',
			{ resource: 'thing', operation: 'make', name: '={{ $json.name }}' },
			items('a', 'b'),
			retry,
		);
		expect(sent()).toEqual(requests);
		expect(error?.message).toEqual(message ? expect.stringMatching(message) : undefined);
		if (message) expect(error!.name).toBe('NodeApiError');
	});

	it('keeps nothing of an execution that is over', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		const bodies: Array<WeakRef<object>> = [];
		const remembering = toyService({
			make: operation({
				...words,
				request: 'POST /things',
				fields: { name },
				effect: 'the thing was made',
				output: () => {
					const made = { made: true };
					bodies.push(new WeakRef(made));
					return made;
				},
			}),
		});
		failFirst({ b: rejected });
		await runNode(
			toyKit(remembering, server.url),
			'toy',
			{ resource: 'thing', operation: 'make', name: '={{ $json.name }}' },
			items('a', 'b'),
			retry,
		);
		expect(bodies).toHaveLength(2);
		for (let times = 0; times < 5; times++) {
			await new Promise((resolve) => setImmediate(resolve));
			collectGarbage();
		}
		expect(bodies.filter((body) => body.deref() !== undefined)).toEqual([]);
	});
});

// Protects operations that begin something and wait: every item begins before the wait, and an error names what was created.
import { field } from '../../../nodes/engine/field';
import { toPathSegment } from '../../../nodes/engine/http/path';
import type { PollDefinition } from '../../../nodes/engine/http/pollOnce';
import { operation } from '../../../nodes/engine/operation';
import { beginAndWait } from '../../../nodes/engine/park/beginAndWait';
import { checkEvery, waitLimit } from '../../../nodes/engine/wait/wait';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

const pollThing: PollDefinition = {
	request: (id) => ({
		method: 'GET',
		path: '/things/{id}',
		params: { id: toPathSegment('ID', id) },
	}),
	interpret: ({ body }) => {
		const { state } = body as { state: string };
		return state === 'open' ? { kind: 'pending' } : { kind: 'finished', outcome: state };
	},
};

/** Makes a thing and, if `wait` of the item is yes, waits for its end. */
const make = operation({
	...operationTexts,
	fields: {
		name: field({ displayName: 'Name', name: 'name', type: 'string', default: '' }),
		wait: field({ displayName: 'Wait', name: 'wait', type: 'string', default: '' }),
		waitLimit: waitLimit('Thing'),
	},
	options: { checkEvery },
	effect: 'the thing was made',
	runBatch: async (batch) =>
		await beginAndWait(batch, {
			begin: async ({ name: id = '', wait }, call) => {
				const { body } = await call.send({ method: 'POST', path: '/things', json: {} });
				const output = { id, made: (body as { made: number }).made, outcome: 'none yet' };
				const sentStatement = `The thing ${id} was made`;
				return wait === 'yes' ? { output, wait: { id, sentStatement } } : { output };
			},
			poll: () => pollThing,
			conclude: (_values, _call, { outcome, polls }, { id }) => {
				if (outcome === 'bad') throw new Error(`${id} ended ${outcome}`);
				return { outcome, polls };
			},
		}),
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

const run = async (items: object[], nodeSettings: object = { onError: 'continueErrorOutput' }) =>
	await runNode(
		toyKit(toyService({ make }), server.url),
		'toy',
		{
			resource: 'thing',
			operation: 'make',
			name: '={{ $json.name }}',
			wait: '={{ $json.wait }}',
			options: { checkEvery: 1 },
		},
		items as never,
		nodeSettings,
	);

/**
 * Has the service create numbered things, and respond to polls of each with the state or HTTP status in `things`. The request
 * with the number `failingRequest` to create a thing fails.
 */
function serve(things: Record<string, string | number>, failingRequest?: number): void {
	let createdCount = 0;
	server.respondWith(({ method, url }, response) => {
		if (method === 'POST') {
			createdCount++;
			return createdCount === failingRequest
				? sendJson(response, 400, { message: 'No more' })
				: sendJson(response, 200, { made: createdCount });
		}
		const state = things[url.split('/').pop()!];
		if (typeof state === 'number') return sendJson(response, state, { message: 'Not you' });
		return sendJson(response, 200, { state });
	});
}
const readMethods = () => server.requests.map(({ method }) => method);

it('beginAndWait begins every item before it waits, and adds the outcome to the output of each', async () => {
	serve({ a: 'done', c: 'gone wrong' });
	const { outputItems } = await run([
		{ name: 'a', wait: 'yes' },
		{ name: 'b', wait: 'no' },
		{ name: 'c', wait: 'yes' },
	]);
	expect(outputItems).toEqual([
		{ id: 'a', made: 1, outcome: 'done', polls: 1 },
		{ id: 'b', made: 2, outcome: 'none yet' },
		{ id: 'c', made: 3, outcome: 'gone wrong', polls: 1 },
	]);
	expect(readMethods()).toEqual(['POST', 'POST', 'POST', 'GET', 'GET']);
});

it('beginAndWait polls nothing if no item waits', async () => {
	serve({});
	expect((await run([{ name: 'a', wait: 'no' }])).outputItems).toMatchObject([{ id: 'a' }]);
	expect(readMethods()).toEqual(['POST']);
});

it('beginAndWait waits for the other items if one fails with Continue On Fail', async () => {
	serve({ b: 'done', c: 'bad' }, 1);
	const { outputItems, errorItems } = await run([
		{ name: 'a', wait: 'yes' },
		{ name: 'b', wait: 'yes' },
		{ name: 'c', wait: 'yes' },
	]);
	expect(outputItems).toMatchObject([{ id: 'b', outcome: 'done' }]);
	expect(errorItems.map(({ json: { error } }) => error)).toEqual([
		expect.stringContaining('Toy service: No more'),
		'c ended bad',
	]);
	expect(readMethods().filter((method) => method === 'POST')).toHaveLength(3);
});

it('beginAndWait begins no further item and does not wait after a failure that ends the run', async () => {
	serve({ a: 'open' }, 2);
	const items = ['a', 'b', 'c'].map((name) => ({ name, wait: 'yes' }));
	const { error } = await run(items, {});
	expect(error?.message).toBe('Row 2 of 3: Toy service: No more');
	expect(readMethods()).toEqual(['POST', 'POST']);
});

it.each([
	['rejects the first poll', 400],
	['rejects the credential at the first poll', 401],
])('the error names what was created if the service %s', async (_, status) => {
	serve({ a: status });
	const { errorItems } = await run([{ name: 'a', wait: 'yes' }]);
	expect(errorItems[0]!.json.error).toMatch(
		/^Toy service: Not you\. .*The thing a was made anyway: don't repeat this step, check that ID instead\.$/,
	);
	expect(readMethods()).toEqual(['POST', 'GET']);
});

import { field } from '../../../nodes/engine/field';
import { toPathSegment } from '../../../nodes/engine/http/path';
import type { PollDefinition } from '../../../nodes/engine/http/pollOnce';
import { operation } from '../../../nodes/engine/operation';
import {
	checkEvery,
	errorOutcomes,
	intervalOf,
	isErrorOutcome,
	secondsToWait,
	waitLimit,
	waitTogether,
} from '../../../nodes/engine/wait/wait';
import type { IdWait } from '../../../nodes/engine/wait/wait';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { Barrier } from '../toyOperations';

useAcceleratedTime();

const poll: PollDefinition = {
	request: (id) => ({
		method: 'GET',
		path: '/things/{id}',
		params: { id: toPathSegment('ID', id) },
		accept: ({ status }) => status === 404,
	}),
	interpret: ({ status, body }) => {
		if (status === 404) return { kind: 'missing' };
		const { state } = body as { state: string };
		return state === 'open'
			? { kind: 'pending', note: body }
			: { kind: 'finished', outcome: state };
	},
};

const id = field({ displayName: 'ID', name: 'id', type: 'string', default: '' });

const wait = operation({
	...operationTexts,
	fields: { id, waitLimit: waitLimit('Thing') },
	options: { checkEvery, errorOutcomes: errorOutcomes([{ name: 'Bad', value: 'bad' }]) },
	idempotent: true,
	runBatch: async (batch) => {
		const waits: IdWait[] = [];
		await batch.each(async (values, call) => {
			const [maxWaitMs, intervalMs] = [1000 * secondsToWait(values), intervalOf(values)];
			waits.push({ call, id: `${values.id}`, poll, maxWaitMs, intervalMs });
			return {};
		});
		const ends = await waitTogether(waits);
		return await batch.each(async (values, call) => {
			const end = ends.get(waits.find((wait) => wait.call === call)!)!;
			if (end instanceof Error) throw end;
			if (isErrorOutcome(values, end.outcome)) throw new Error(`It ended ${end.outcome}`);
			return { id: end.id, outcome: end.outcome, polls: end.polls };
		});
	},
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

const run = async (items: object[], parameters: object = {}) => {
	const { outputItems, errorItems, error } = await runNode(
		toyKit(toyService({ wait }), server.url),
		'toy',
		{
			resource: 'thing',
			operation: 'wait',
			id: '={{ $json.id }}',
			options: { checkEvery: 1 },
			...parameters,
		},
		items as never,
		{ onError: 'continueErrorOutput' },
	);
	expect(error).toBeUndefined();
	return { outputItems, errors: errorItems.map(({ json: { error: message } }) => message) };
};
const idOf = (url: string) => url.split('/').pop()!;

it('waitForOutcome waits for all items together, within the limit of concurrent requests', async () => {
	const barrier = new Barrier(4);
	const pollsById = new Map<string, number>();
	server.respondWith(({ url }, response) => {
		const count = (pollsById.get(idOf(url)) ?? 0) + 1;
		pollsById.set(idOf(url), count);
		void barrier.enter().then(() =>
			setTimeout(() => {
				barrier.leave();
				sendJson(response, 200, { state: count < 2 ? 'open' : 'done' });
			}, 100),
		);
	});
	const items = Array.from({ length: 60 }, (_, n) => ({ id: `t${n}` }));
	const { outputItems } = await run(items, { options: { checkEvery: 1, itemsAtATime: 4 } });
	expect(outputItems.map(({ id, outcome }) => ({ id, outcome }))).toEqual(
		items.map(({ id }) => ({ id, outcome: 'done' })),
	);
	expect(barrier.maxInside).toBe(4);
	expect(new Set(pollsById.values())).toEqual(new Set([2]));
});

it('waitForOutcome keeps the time limit of each item', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { state: 'open' }));
	const started = Date.now();
	const { outputItems } = await run(
		[
			{ id: 'a', most: 1 },
			{ id: 'b', most: 3 },
		],
		{
			waitLimit: '={{ $json.most }}',
		},
	);
	expect(outputItems.map(({ outcome }) => outcome)).toEqual([
		'stillOutstanding',
		'stillOutstanding',
	]);
	expect(Number(outputItems[0]!.polls)).toBeLessThan(Number(outputItems[1]!.polls));
	expect(Date.now() - started).toBeGreaterThanOrEqual(2900);
});

it('waitForOutcome fails only the item whose ID the service rejects', async () => {
	server.respondWith(({ url }, response) =>
		idOf(url) === 'bad'
			? sendJson(response, 400, { message: 'No' })
			: sendJson(response, 200, { state: 'done' }),
	);
	const { outputItems, errors } = await run([
		{ id: 'bad' },
		{ id: 'good' },
		{ id: 'x'.repeat(200) },
	]);
	expect(outputItems).toMatchObject([{ id: 'good', outcome: 'done' }]);
	expect(errors).toEqual(['Toy service: No [item 0]', expect.stringMatching(/200 characters/)]);
	expect(server.requests).toHaveLength(2);
});

it('waitForOutcome stops polling when the credential is rejected, and keeps known outcomes', async () => {
	server.respondWith(({ url }, response) =>
		idOf(url) === 'first'
			? sendJson(response, 200, { state: 'done' })
			: sendJson(response, 401, { message: 'Bad key' }),
	);
	const { outputItems, errors } = await run([{ id: 'first' }, { id: 'second' }, { id: 'third' }]);
	expect(outputItems).toMatchObject([{ id: 'first', outcome: 'done' }]);
	expect(errors).toEqual(['Toy service: Bad key [item 1]', 'Toy service: Bad key [item 2]']);
});

it('waitForOutcome fails items with the outcomes that the user selected as errors', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { state: 'bad' }));
	const options = { checkEvery: 1, errorOutcomes: ['bad'] };
	expect(await run([{ id: 'a' }], { options })).toEqual({
		outputItems: [],
		errors: ['It ended bad'],
	});
});

it.each<[string, number | 'drop' | 'page', number]>([
	['slows down and polls again after a 429', 429, 2],
	['polls again after a 500', 500, 2],
	['polls again after a dropped connection', 'drop', 2],
	['polls again after a web page of a proxy', 'page', 2],
	['polls again after a 404', 404, 2],
])('waitForOutcome %s', async (_, failureKind, polls) => {
	server.respondWith((_request, response, count) => {
		if (count > 1) return sendJson(response, 200, { state: 'done' });
		if (failureKind === 'drop') return response.destroy();
		if (failureKind === 'page') return response.writeHead(502).end('<html>');
		return sendJson(response, failureKind, {}, { 'retry-after': '1' });
	});
	expect((await run([{ id: 'a' }])).outputItems).toEqual([{ id: 'a', outcome: 'done', polls }]);
});

// Protects operations that wait for many items: each has its own limit and outcome, and a passing fault ends no wait.
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

const pollThing: PollDefinition = {
	request: (id) => ({
		method: 'GET',
		path: '/things/{id}',
		params: { id: toPathSegment('ID', id) },
		accept: ({ status }) => status === 404,
	}),
	interpret: ({ status, body }, _id, subject) => {
		if (status === 404) return { kind: 'missing' };
		const { state, owner } = body as { state: string; owner?: string };
		if (owner !== undefined)
			return { kind: 'finished', outcome: owner === subject ? 'own' : 'foreign' };
		return state === 'open'
			? { kind: 'pending', note: body }
			: { kind: 'finished', outcome: state };
	},
};

const id = field({ displayName: 'ID', name: 'id', type: 'string', default: '' });

const waitForThing = operation({
	...operationTexts,
	fields: { id, waitLimit: waitLimit('Thing') },
	options: { checkEvery, errorOutcomes: errorOutcomes([{ name: 'Bad', value: 'bad' }]) },
	idempotent: true,
	runBatch: async (batch) => {
		const waits: IdWait[] = [];
		await batch.each(async (values, call) => {
			const [maxWaitMs, intervalMs] = [1000 * secondsToWait(values), intervalOf(values)];
			const [id, subject] = `${values.id}`.split(' of ') as [string, string?];
			waits.push({ call, id, subject, poll: pollThing, maxWaitMs, intervalMs });
			return {};
		});
		const ends = await waitTogether(waits);
		return await batch.each(async (values, call) => {
			const end = ends.get(waits.find((idWait) => idWait.call === call)!)!;
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

/** Runs the operation, and returns its output items and the messages of failed items. */
const run = async (items: object[], parameters: object = {}, node: object = {}) => {
	const { outputItems, errorItems, error } = await runNode(
		toyKit(toyService({ wait: waitForThing }), server.url),
		'toy',
		{
			resource: 'thing',
			operation: 'wait',
			id: '={{ $json.id }}',
			options: { checkEvery: 1 },
			...parameters,
		},
		items as never,
		{ onError: 'continueErrorOutput', ...node },
	);
	expect(error).toBeUndefined();
	return { outputItems, errors: errorItems.map(({ json: { error: message } }) => message) };
};
const readId = (url: string) => url.split('/').pop()!;

it('waitTogether polls all items concurrently, but no more than the limit of concurrent requests', async () => {
	const MAX_CONCURRENT = 4;
	const barrier = new Barrier(MAX_CONCURRENT);
	const pollsById = new Map<string, number>();
	server.respondWith(({ url }, response) => {
		const pollCount = (pollsById.get(readId(url)) ?? 0) + 1;
		pollsById.set(readId(url), pollCount);
		void barrier.enter().then(() =>
			setTimeout(() => {
				barrier.leave();
				sendJson(response, 200, { state: pollCount < 2 ? 'open' : 'done' });
			}, 100),
		);
	});
	const items = Array.from({ length: 60 }, (_, index) => ({ id: `t${index}` }));
	const { outputItems } = await run(items, {
		options: { checkEvery: 1, itemsAtATime: MAX_CONCURRENT },
	});
	expect(outputItems.map(({ id, outcome }) => ({ id, outcome }))).toEqual(
		items.map(({ id }) => ({ id, outcome: 'done' })),
	);
	expect(barrier.maxInside).toBe(MAX_CONCURRENT);
	expect(new Set(pollsById.values())).toEqual(new Set([2]));
});

it('waitTogether ends the wait of each item at the time limit of that item', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { state: 'open' }));
	const startedAtMs = Date.now();
	const { outputItems } = await run(
		[
			{ id: 'a', limitSeconds: 1 },
			{ id: 'b', limitSeconds: 3 },
		],
		{
			waitLimit: '={{ $json.limitSeconds }}',
		},
	);
	expect(outputItems.map(({ outcome }) => outcome)).toEqual([
		'stillOutstanding',
		'stillOutstanding',
	]);
	expect(Number(outputItems[0]!.polls)).toBeLessThan(Number(outputItems[1]!.polls));
	expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(2900);
});

it('waitTogether fails only the item whose ID the service rejects', async () => {
	server.respondWith(({ url }, response) =>
		readId(url) === 'bad'
			? sendJson(response, 400, { message: 'No' })
			: sendJson(response, 200, { state: 'done' }),
	);
	const { outputItems, errors } = await run([
		{ id: 'bad' },
		{ id: 'good' },
		{ id: 'x'.repeat(200) },
	]);
	expect(outputItems).toMatchObject([{ id: 'good', outcome: 'done' }]);
	expect(errors).toEqual([
		expect.stringContaining('Toy service: No'),
		expect.stringMatching(/200 characters/),
	]);
	expect(server.requests).toHaveLength(2);
});

it('waitTogether fails the items without an outcome when the credential is rejected, and outputs the others', async () => {
	server.respondWith(({ url }, response) =>
		readId(url) === 'first'
			? sendJson(response, 200, { state: 'done' })
			: sendJson(response, 401, { message: 'Bad key' }),
	);
	const { outputItems, errors } = await run([{ id: 'first' }, { id: 'second' }, { id: 'third' }]);
	expect(outputItems).toMatchObject([{ id: 'first', outcome: 'done' }]);
	expect(errors).toEqual(
		[1, 2].map(() =>
			expect.stringMatching(
				/^Toy service: Bad key.*key in the credential.* The wait was cut short/,
			),
		),
	);
});

it('waitTogether interprets the response for the subject of each item, even if the items have the same ID', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { state: 'done', owner: 'Ada' }));
	const { outputItems } = await run([
		{ id: 'a of Ada' },
		{ id: 'a of Bob' },
		{ id: 'a of Ada' },
		{ id: 'b of Bob' },
	]);
	expect(outputItems.map(({ outcome }) => outcome)).toEqual(['own', 'foreign', 'own', 'foreign']);
	expect(server.requests).toHaveLength(3);
});

it('waitTogether ends when the execution is canceled', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { state: 'open' }));
	let canceledAtMs = 0;
	const onStart = (cancel: () => void) =>
		setTimeout(() => {
			canceledAtMs = Date.now();
			cancel();
		}, 2500);
	await run([{ id: 'a' }], { waitLimit: 600 }, { onStart }).catch(() => undefined);
	await new Promise((resolve) => setTimeout(resolve, 10_000));
	expect(canceledAtMs).toBeGreaterThan(0);
	expect(server.requests.at(-1)!.receivedAtMs).toBeLessThan(canceledAtMs + 1500);
});

it('isErrorOutcome recognizes only outcomes that the user selected as errors', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { state: 'bad' }));
	const runWith = async (chosen?: string[]) =>
		await run([{ id: 'a' }], { options: { checkEvery: 1, errorOutcomes: chosen } });
	expect(await runWith(['bad'])).toEqual({ outputItems: [], errors: ['It ended bad'] });
	for (const chosen of [undefined, []])
		expect((await runWith(chosen)).outputItems).toMatchObject([{ id: 'a', outcome: 'bad' }]);
});

it.each<[string, number | 'drop' | 'page', number]>([
	['polls again after a 429', 429, 2],
	['polls again after a 500', 500, 2],
	['polls again after a dropped connection', 'drop', 2],
	['polls again after a web page of a proxy', 'page', 2],
	['polls again after a 404', 404, 2],
])('waitTogether %s', async (_, failure, polls) => {
	server.respondWith((_request, response, count) => {
		if (count > 1) return sendJson(response, 200, { state: 'done' });
		if (failure === 'drop') return response.destroy();
		if (failure === 'page') return response.writeHead(502).end('<html>');
		return sendJson(response, failure, {}, { 'retry-after': '1' });
	});
	expect((await run([{ id: 'a' }])).outputItems).toEqual([{ id: 'a', outcome: 'done', polls }]);
});

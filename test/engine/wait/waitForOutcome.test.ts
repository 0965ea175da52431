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
import { json, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
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
			const end = ends.get(waits.find((one) => one.call === call)!)!;
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
	const { out, failed, error } = await runNode(
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
	return { out, errors: failed.map(({ json: { error: message } }) => message) };
};
const idOf = (url: string) => url.split('/').pop()!;

it('waitForOutcome waits for all items together, within the limit of concurrent requests', async () => {
	const barrier = new Barrier(4);
	const asked = new Map<string, number>();
	server.respondWith(({ url }, response) => {
		const count = (asked.get(idOf(url)) ?? 0) + 1;
		asked.set(idOf(url), count);
		void barrier.enter().then(() =>
			setTimeout(() => {
				barrier.leave();
				json(response, 200, { state: count < 2 ? 'open' : 'done' });
			}, 100),
		);
	});
	const items = Array.from({ length: 60 }, (_, n) => ({ id: `t${n}` }));
	const { out } = await run(items, { options: { checkEvery: 1, itemsAtATime: 4 } });
	expect(out.map(({ id, outcome }) => ({ id, outcome }))).toEqual(
		items.map(({ id }) => ({ id, outcome: 'done' })),
	);
	expect(barrier.most).toBe(4);
	expect(new Set(asked.values())).toEqual(new Set([2]));
});

it('waitForOutcome keeps the time limit of each item', async () => {
	server.respondWith((_, response) => json(response, 200, { state: 'open' }));
	const started = Date.now();
	const { out } = await run(
		[
			{ id: 'a', most: 1 },
			{ id: 'b', most: 3 },
		],
		{
			waitLimit: '={{ $json.most }}',
		},
	);
	expect(out.map(({ outcome }) => outcome)).toEqual(['stillOutstanding', 'stillOutstanding']);
	expect(Number(out[0]!.polls)).toBeLessThan(Number(out[1]!.polls));
	expect(Date.now() - started).toBeGreaterThanOrEqual(2900);
});

it('waitForOutcome fails only the item whose ID the service rejects', async () => {
	server.respondWith(({ url }, response) =>
		idOf(url) === 'bad'
			? json(response, 400, { message: 'No' })
			: json(response, 200, { state: 'done' }),
	);
	const { out, errors } = await run([{ id: 'bad' }, { id: 'good' }, { id: 'x'.repeat(200) }]);
	expect(out).toMatchObject([{ id: 'good', outcome: 'done' }]);
	expect(errors).toEqual(['Toy service: No [item 0]', expect.stringMatching(/200 characters/)]);
	expect(server.received).toHaveLength(2);
});

it('waitForOutcome stops polling when the credential is rejected, and keeps known outcomes', async () => {
	server.respondWith(({ url }, response) =>
		idOf(url) === 'first'
			? json(response, 200, { state: 'done' })
			: json(response, 401, { message: 'Bad key' }),
	);
	const { out, errors } = await run([{ id: 'first' }, { id: 'second' }, { id: 'third' }]);
	expect(out).toMatchObject([{ id: 'first', outcome: 'done' }]);
	expect(errors).toEqual(['Toy service: Bad key [item 1]', 'Toy service: Bad key [item 2]']);
});

it('waitForOutcome fails items with the outcomes that the user selected as errors', async () => {
	server.respondWith((_, response) => json(response, 200, { state: 'bad' }));
	const options = { checkEvery: 1, errorOutcomes: ['bad'] };
	expect(await run([{ id: 'a' }], { options })).toEqual({ out: [], errors: ['It ended bad'] });
});

it.each<[string, number | 'drop' | 'page', number]>([
	['slows down and asks again after a 429', 429, 2],
	['asks again after a 500', 500, 2],
	['asks again after a dropped connection', 'drop', 2],
	['asks again after the page of a proxy', 'page', 2],
	['asks again after a 404', 404, 2],
])('%s', async (_, trouble, polls) => {
	server.respondWith((_request, response, count) => {
		if (count > 1) return json(response, 200, { state: 'done' });
		if (trouble === 'drop') return response.destroy();
		if (trouble === 'page') return response.writeHead(502).end('<html>');
		return json(response, trouble, {}, { 'retry-after': '1' });
	});
	expect((await run([{ id: 'a' }])).out).toEqual([{ id: 'a', outcome: 'done', polls }]);
});

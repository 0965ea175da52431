import { awaitWithin, useAcceleratedTime } from '../../support/fakeClock';
import { sendJson, startToyServer, toyKit } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { service } from '../toyOperations';

// A service that takes five requests a second and asks everybody else to wait for two seconds.

const A_SECOND = 5;
const ASKED_MS = 2000;
/** A rejection needs a moment to arrive; requests sent before that do not count. */
const ON_THE_WAY_MS = 700;

let server: ToyServer;
let key = 0;
beforeEach(async () => {
	server = await startToyServer();
});
afterEach(async () => await server.close());
useAcceleratedTime();

interface LimitLog {
	rejections: number[];
	served: string[];
}

function limitRequests(nameRequest: (url: string) => string = () => ''): LimitLog {
	const log: LimitLog = { rejections: [], served: [] };
	const windows = new Map<string, number[]>();
	server.respondWith(({ url }, response) => {
		const now = performance.now();
		const recent = (windows.get(nameRequest(url)) ?? []).filter((sentAt) => sentAt > now - 1000);
		windows.set(nameRequest(url), recent);
		if (recent.length < A_SECOND) {
			recent.push(now);
			log.served.push(url);
			sendJson(response, 200, { url });
			return;
		}
		log.rejections.push(now);
		sendJson(response, 429, { message: 'Slow down' }, { 'retry-after': `${ASKED_MS / 1000}` });
	});
	return log;
}

/** Runs items, and notes when each request is begun. */
function start(
	items: number,
	options: object,
	sentAtMs: number[] = [],
	apiKey = `key-${key}`,
	node: object = {},
) {
	const kit = toyKit(service, server.url, apiKey);
	const [Type] = kit.credentials as unknown as [new () => { authenticate: never }];
	const { authenticate } = new Type() as unknown as {
		authenticate: (...args: unknown[]) => Promise<unknown>;
	};
	kit.credentials = [
		class extends (Type as unknown as new () => object) {
			authenticate = async (...args: unknown[]) => {
				sentAtMs.push(performance.now());
				return await authenticate(...args);
			};
		} as never,
	];
	return runNode(
		kit,
		'toy',
		{ resource: 'thing', operation: 'get', thingId: '={{ $json.id }}', options } as never,
		Array.from({ length: items }, (_, id) => ({ id: `${id}` })),
		node,
	);
}

/** Counts the requests that were sent during a pause that the service had requested. */
const countSentDuringPause = (begun: number[], { rejections }: LimitLog) =>
	begun.filter((sentAt) =>
		rejections.some(
			(rejected) => sentAt > rejected + ON_THE_WAY_MS && sentAt < rejected + ASKED_MS,
		),
	).length;

beforeEach(() => key++);

it.each([10, 50])('60 items with concurrency %i all succeed', async (itemsAtATime) => {
	const limited = limitRequests();
	const begunAtMs: number[] = [];
	const { outputItems, error } = await awaitWithin(start(60, { itemsAtATime }, begunAtMs), 600_000);
	expect(error).toBeUndefined();
	expect(outputItems).toHaveLength(60);
	expect(limited.served).toHaveLength(60);
	expect(limited.rejections.length).toBeGreaterThan(0);
	expect(countSentDuringPause(begunAtMs, limited)).toBe(0);
});

it('20 executions of five items all succeed', async () => {
	const limited = limitRequests();
	const begunAtMs: number[] = [];
	const runs = Promise.all(Array.from({ length: 20 }, async () => await start(5, {}, begunAtMs)));
	const finished = await awaitWithin(runs, 600_000);
	expect(finished.flatMap(({ outputItems }) => outputItems)).toHaveLength(100);
	expect(finished.flatMap(({ error }) => error ?? [])).toEqual([]);
	expect(countSentDuringPause(begunAtMs, limited)).toBe(0);
});

it('items run concurrently again after a pause, whatever else the service responds', async () => {
	let underWay = 0;
	let most = 0;
	server.respondWith((_, response, count) => {
		if (count === 1) return sendJson(response, 429, {}, { 'retry-after': '5' });
		most = Math.max(most, ++underWay);
		setTimeout(() => {
			underWay--;
			sendJson(response, 404, { message: 'None' });
		}, 100);
		return undefined;
	});
	const alone = start(1, { itemsAtATime: 1 });
	// The others start during the pause.
	await awaitWithin(new Promise((resolve) => setTimeout(resolve, 500)), 1000);
	expect(server.requests).toHaveLength(1);
	const many = start(40, { itemsAtATime: 10 }, [], undefined, { onError: 'continueErrorOutput' });
	await awaitWithin(Promise.all([alone, many]), 120_000);
	expect(server.requests.length).toBeGreaterThanOrEqual(41);
	expect(most).toBeGreaterThan(2);
});

it('requests with another credential are not delayed', async () => {
	server.respondWith((request, response) =>
		request.headers['x-toy-key'] === 'busy'
			? sendJson(response, 429, {}, { 'retry-after': '3600' })
			: sendJson(response, 200, { fine: true }),
	);
	const rejected = await awaitWithin(start(1, {}, [], 'busy'), 10_000);
	expect(rejected.error?.message).toMatch(/429/);
	expect((await awaitWithin(start(1, {}), 10_000)).outputItems).toEqual([{ fine: true }]);
});

it('a pause beyond the longest wait fails the next items unsent, with the time in the error', async () => {
	server.respondWith((_, response) => sendJson(response, 429, {}, { 'retry-after': '90' }));
	await awaitWithin(start(1, {}), 10_000);
	const { error } = await awaitWithin(start(3, {}), 10_000);
	expect(server.requests).toHaveLength(1);
	expect(error?.message).toBe('The toy service has asked to slow down [item 0]');
	expect((error as { description?: string }).description).toMatch(
		/wait 9\d seconds.*Max Retry Delay.*Nothing was sent/,
	);
	// A request with a longer Max Retry Delay succeeds.
	server.respondWith((_, response) => sendJson(response, 200, { fine: true }));
	const { outputItems } = await awaitWithin(start(1, { longestWait: 120 }), 200_000);
	expect(outputItems).toEqual([{ fine: true }]);
});

// Protects executions that share a rate limit: all their items succeed, and no request is sent during a requested pause.
import { awaitWithin, useAcceleratedTime } from '../../support/fakeClock';
import { sendJson, startToyServer, toyKit } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { service } from '../toyOperations';

// A service that accepts five requests a second, rejects all others and asks for a pause of two seconds.

const MAX_PER_SECOND = 5;
const PAUSE_MS = 2000;
/** A rejection needs a moment to arrive; requests sent before that do not count. */
const IN_TRANSIT_MS = 700;

let server: ToyServer;
let credentialNumber = 0;
beforeEach(async () => {
	server = await startToyServer();
});
afterEach(async () => await server.close());
useAcceleratedTime();

interface LimitLog {
	/** When each rejected request arrived. */
	rejectedAtMs: number[];
	servedUrls: string[];
}

/** Makes the server limit its requests, and returns the log of its decisions. */
function limitRequests(): LimitLog {
	const log: LimitLog = { rejectedAtMs: [], servedUrls: [] };
	let recentMs: number[] = [];
	server.respondWith(({ url }, response) => {
		const nowMs = performance.now();
		recentMs = recentMs.filter((sentAtMs) => sentAtMs > nowMs - 1000);
		if (recentMs.length < MAX_PER_SECOND) {
			recentMs.push(nowMs);
			log.servedUrls.push(url);
			sendJson(response, 200, { url });
			return;
		}
		log.rejectedAtMs.push(nowMs);
		sendJson(response, 429, { message: 'Slow down' }, { 'retry-after': `${PAUSE_MS / 1000}` });
	});
	return log;
}

/** Runs the node with items, and adds to `sentAtMs` when each request is sent. */
function runItems(
	itemCount: number,
	options: object,
	sentAtMs: number[] = [],
	apiKey = `key-${credentialNumber}`,
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
		Array.from({ length: itemCount }, (_, id) => ({ id: `${id}` })),
		node,
	);
}

/** Counts the requests that were sent during a pause that the service had requested. */
const countSentDuringPause = (sentAtMs: number[], { rejectedAtMs }: LimitLog) =>
	sentAtMs.filter((sentMs) =>
		rejectedAtMs.some(
			(rejectedMs) => sentMs > rejectedMs + IN_TRANSIT_MS && sentMs < rejectedMs + PAUSE_MS,
		),
	).length;

beforeEach(() => credentialNumber++);

it.each([10, 50])(
	'60 items with concurrency %i all succeed, and no request is sent during a pause',
	async (itemsAtATime) => {
		const limitLog = limitRequests();
		const sentAtMs: number[] = [];
		const { outputItems, error } = await awaitWithin(
			runItems(60, { itemsAtATime }, sentAtMs),
			600_000,
		);
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(60);
		expect(limitLog.servedUrls).toHaveLength(60);
		expect(limitLog.rejectedAtMs.length).toBeGreaterThan(0);
		expect(countSentDuringPause(sentAtMs, limitLog)).toBe(0);
	},
);

it('20 executions of five items all succeed, and no request is sent during a pause', async () => {
	const limitLog = limitRequests();
	const sentAtMs: number[] = [];
	const runs = Promise.all(Array.from({ length: 20 }, async () => await runItems(5, {}, sentAtMs)));
	const finished = await awaitWithin(runs, 600_000);
	expect(finished.flatMap(({ outputItems }) => outputItems)).toHaveLength(100);
	expect(finished.flatMap(({ error }) => error ?? [])).toEqual([]);
	expect(countSentDuringPause(sentAtMs, limitLog)).toBe(0);
});

it('items run concurrently again after a pause, even if the service responds with 404', async () => {
	let underWay = 0;
	let maxUnderWay = 0;
	server.respondWith((_, response, count) => {
		if (count === 1) return sendJson(response, 429, {}, { 'retry-after': '5' });
		maxUnderWay = Math.max(maxUnderWay, ++underWay);
		setTimeout(() => {
			underWay--;
			sendJson(response, 404, { message: 'None' });
		}, 100);
		return undefined;
	});
	const firstRun = runItems(1, { itemsAtATime: 1 });
	// The others start during the pause.
	await awaitWithin(new Promise((resolve) => setTimeout(resolve, 500)), 1000);
	expect(server.requests).toHaveLength(1);
	const laterRun = runItems(40, { itemsAtATime: 10 }, [], undefined, {
		onError: 'continueErrorOutput',
	});
	await awaitWithin(Promise.all([firstRun, laterRun]), 120_000);
	expect(server.requests.length).toBeGreaterThanOrEqual(41);
	expect(maxUnderWay).toBeGreaterThan(2);
});

it('a pause for one credential does not delay requests with another credential', async () => {
	server.respondWith((request, response) =>
		request.headers['x-toy-key'] === 'busy'
			? sendJson(response, 429, {}, { 'retry-after': '3600' })
			: sendJson(response, 200, { fine: true }),
	);
	const rejectedRun = await awaitWithin(runItems(1, {}, [], 'busy'), 10_000);
	expect(rejectedRun.error?.message).toMatch(/429/);
	expect((await awaitWithin(runItems(1, {}), 10_000)).outputItems).toEqual([{ fine: true }]);
});

it('a pause longer than Max Retry Delay fails the next items without a request, and the error names the time', async () => {
	server.respondWith((_, response) => sendJson(response, 429, {}, { 'retry-after': '90' }));
	await awaitWithin(runItems(1, {}), 10_000);
	const { error } = await awaitWithin(runItems(3, {}), 10_000);
	expect(server.requests).toHaveLength(1);
	expect(error?.message).toBe('Row 1 of 3: The toy service has asked to slow down');
	expect((error as { description?: string }).description).toMatch(
		/wait 9\d seconds.*Max Retry Delay.*Nothing was sent/,
	);
	// A request with a longer Max Retry Delay succeeds.
	server.respondWith((_, response) => sendJson(response, 200, { fine: true }));
	const { outputItems } = await awaitWithin(runItems(1, { longestWait: 120 }), 200_000);
	expect(outputItems).toEqual([{ fine: true }]);
});

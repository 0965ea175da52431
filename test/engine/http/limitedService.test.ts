import { pauses } from '../../../nodes/engine/http/pauses';
import {
	switchLimiterAt,
	fixedWindow,
	measure,
	slidingWindow,
	tokenBucket,
} from './limitedService';
import type { Limiter, Load } from './limitedService';

// Rejected requests of a rate-limited service, and total time of all items, in virtual time.

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
	let seed = 42;
	jest.spyOn(Math, 'random').mockImplementation(() => {
		seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
		return seed / 2 ** 31;
	});
	pauses.queues.clear();
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const fivePerSecond = () => slidingWindow(5, '2');

/** The seconds are those that a client needs which sends one more after each success until it is rejected again. */
const CASES: Array<[string, () => Limiter, Load, { share: number; seconds: number }]> = [
	['60 items', fivePerSecond, { items: 60, atATime: 10 }, { share: 0.2, seconds: 24.8 }],
	['300 items', fivePerSecond, { items: 300, atATime: 10 }, { share: 0.2, seconds: 133 }],
	[
		'60 items and responses after 2 ms',
		fivePerSecond,
		{ items: 60, atATime: 10, latencyMs: 2 },
		{ share: 0.2, seconds: 24.1 },
	],
	[
		'60 items and responses after 200 ms',
		fivePerSecond,
		{ items: 60, atATime: 10, latencyMs: 200 },
		{ share: 0.2, seconds: 32.9 },
	],
	[
		'300 items and responses after a second',
		fivePerSecond,
		{ items: 300, atATime: 10, latencyMs: 1000 },
		{ share: 0.2, seconds: 125 },
	],
	[
		'60 items, run sequentially',
		fivePerSecond,
		{ items: 60, atATime: 1 },
		{ share: 0.1, seconds: 24.8 },
	],
	[
		// Of the first fifty, 45 are rejected before anything can be known.
		'300 items with concurrency 50',
		fivePerSecond,
		{ items: 300, atATime: 50 },
		{ share: 0.2, seconds: 133.1 },
	],
	[
		'a fixed window',
		() => fixedWindow(5, '2'),
		{ items: 300, atATime: 10 },
		{ share: 0.1, seconds: 130.8 },
	],
	[
		'a token bucket',
		() => tokenBucket(5, 5, '2'),
		{ items: 300, atATime: 10 },
		{ share: 0.1, seconds: 133.4 },
	],
	[
		'no Retry-After',
		() => slidingWindow(5, ''),
		{ items: 300, atATime: 10 },
		{ share: 0.1, seconds: 98.1 },
	],
	[
		'a token bucket without Retry-After',
		() => tokenBucket(5, 5, ''),
		{ items: 60, atATime: 10 },
		{ share: 0.2, seconds: 17.4 },
	],
	[
		'a limit that two executions share',
		fivePerSecond,
		{ items: 150, executions: 2, atATime: 10 },
		{ share: 0.2, seconds: 133.2 },
	],
	[
		'a limit that two processes share',
		fivePerSecond,
		{ items: 150, executions: 2, atATime: 10, apart: true },
		{ share: 0.2, seconds: 130.9 },
	],
	[
		'a limit that is lowered',
		() => switchLimiterAt(slidingWindow(20, '2'), 5000, slidingWindow(2, '2')),
		{ items: 300, atATime: 10 },
		{ share: 0.2, seconds: 271 },
	],
	[
		'20 executions of five',
		fivePerSecond,
		{ items: 5, executions: 20, atATime: 10 },
		{ share: 0.5, seconds: 43 },
	],
];

it.each(CASES)(
	'%s: few requests are rejected, and the items take no longer',
	async (_, limiter, load, most) => {
		const { requests, rejected, failed, insidePause, seconds } = await measure(limiter(), load);
		expect({ failed, insidePause }).toEqual({ failed: 0, insidePause: 0 });
		expect(requests - rejected).toBe(load.items * (load.executions ?? 1));
		expect(rejected).toBeLessThanOrEqual(most.share * requests);
		expect(seconds).toBeLessThanOrEqual(most.seconds);
	},
);

it('the send rate rises after the service has raised its limit', async () => {
	const raised = () => switchLimiterAt(fivePerSecond(), 10_000, slidingWindow(50, '2'));
	const { rejected, requests, seconds } = await measure(raised(), { items: 300, atATime: 10 });
	expect(rejected).toBeLessThanOrEqual(0.1 * requests);
	// At five a second it would be a minute.
	expect(seconds).toBeLessThan(40);
});

it('a few misleading rejections cost time, but no item fails', async () => {
	let count = 0;
	const odd: Limiter = () => ([4, 15, 17].includes(++count) ? { retryAfter: '50' } : {});
	const { failed, rejected } = await measure(odd, { items: 60, atATime: 10 });
	expect({ failed, rejected }).toEqual({ failed: 0, rejected: 3 });
});

it('the next execution uses the learned rate, which is forgotten after a minute', async () => {
	const load = { items: 60, atATime: 10, key: 'the same' };
	const run = async () => (await measure(fivePerSecond(), load)).rejected;
	expect(await run()).toBeGreaterThan(5);
	expect(await run()).toBeLessThanOrEqual(3);
	await jest.advanceTimersByTimeAsync(60_001);
	expect(await run()).toBeGreaterThan(5);
});

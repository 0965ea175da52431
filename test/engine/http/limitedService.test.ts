// Protects the speed of runs at a rate-limited service: few requests are rejected, no item fails, and the run ends in time.
import { pauses } from '../../../nodes/engine/http/pauses';
import {
	switchLimiterAt,
	fixedWindow,
	measureLoad,
	slidingWindow,
	tokenBucket,
} from './limitedService';
import type { Limiter, Load } from './limitedService';

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
	// The same sequence of random numbers in every run.
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

const acceptFivePerSecond = () => slidingWindow(5, '2');

/**
 * The maximum share of rejected requests, and the maximum time. The time is that of a client that sends one more request after
 * each success until a request is rejected.
 */
const CASES: Array<[string, () => Limiter, Load, { rejectedShare: number; seconds: number }]> = [
	[
		'60 items',
		acceptFivePerSecond,
		{ items: 60, concurrency: 10 },
		{ rejectedShare: 0.2, seconds: 24.8 },
	],
	[
		'300 items',
		acceptFivePerSecond,
		{ items: 300, concurrency: 10 },
		{ rejectedShare: 0.2, seconds: 133 },
	],
	[
		'60 items and responses after 2 ms',
		acceptFivePerSecond,
		{ items: 60, concurrency: 10, latencyMs: 2 },
		{ rejectedShare: 0.2, seconds: 24.1 },
	],
	[
		'60 items and responses after 200 ms',
		acceptFivePerSecond,
		{ items: 60, concurrency: 10, latencyMs: 200 },
		{ rejectedShare: 0.2, seconds: 32.9 },
	],
	[
		'300 items and responses after a second',
		acceptFivePerSecond,
		{ items: 300, concurrency: 10, latencyMs: 1000 },
		{ rejectedShare: 0.2, seconds: 125 },
	],
	[
		'60 items, run sequentially',
		acceptFivePerSecond,
		{ items: 60, concurrency: 1 },
		{ rejectedShare: 0.1, seconds: 24.8 },
	],
	[
		'300 items with concurrency 50',
		acceptFivePerSecond,
		{ items: 300, concurrency: 50 },
		{ rejectedShare: 0.1, seconds: 133.1 },
	],
	[
		'a fixed window',
		() => fixedWindow(5, '2'),
		{ items: 300, concurrency: 10 },
		{ rejectedShare: 0.1, seconds: 130.8 },
	],
	[
		'a token bucket',
		() => tokenBucket(5, 5, '2'),
		{ items: 300, concurrency: 10 },
		{ rejectedShare: 0.1, seconds: 133.4 },
	],
	[
		'no Retry-After',
		() => slidingWindow(5, ''),
		{ items: 300, concurrency: 10 },
		{ rejectedShare: 0.1, seconds: 98.1 },
	],
	[
		'a token bucket without Retry-After',
		() => tokenBucket(5, 5, ''),
		{ items: 60, concurrency: 10 },
		{ rejectedShare: 0.2, seconds: 17.4 },
	],
	[
		'a limit that two executions share',
		acceptFivePerSecond,
		{ items: 150, executions: 2, concurrency: 10 },
		{ rejectedShare: 0.2, seconds: 133.2 },
	],
	[
		'a limit that two processes share',
		acceptFivePerSecond,
		{ items: 150, executions: 2, concurrency: 10, inSeparateProcesses: true },
		{ rejectedShare: 0.2, seconds: 130.9 },
	],
	[
		'a limit that is lowered',
		() => switchLimiterAt(slidingWindow(20, '2'), 5000, slidingWindow(2, '2')),
		{ items: 300, concurrency: 10 },
		{ rejectedShare: 0.2, seconds: 271 },
	],
	[
		'20 executions of five items',
		acceptFivePerSecond,
		{ items: 5, executions: 20, concurrency: 10 },
		{ rejectedShare: 0.5, seconds: 43 },
	],
];

it.each(CASES)(
	'%s: few requests are rejected, and the total time is not longer than the maximum',
	async (_, createLimiter, load, maximum) => {
		const { requests, rejected, failed, sentDuringPause, seconds } = await measureLoad(
			createLimiter(),
			load,
		);
		expect({ failed, sentDuringPause }).toEqual({ failed: 0, sentDuringPause: 0 });
		expect(requests - rejected).toBe(load.items * (load.executions ?? 1));
		expect(rejected).toBeLessThanOrEqual(maximum.rejectedShare * requests);
		expect(seconds).toBeLessThanOrEqual(maximum.seconds);
	},
);

it.each([
	['a token bucket', '2', () => tokenBucket(10, 10, '2')],
	['a token bucket', '', () => tokenBucket(10, 10, '')],
	['a fixed window', '2', () => fixedWindow(10, '2')],
	['a fixed window', '', () => fixedWindow(10, '')],
])(
	'%s with Retry-After "%s" rejects few more requests with concurrency 50 than with ten',
	async (_, __, createLimiter) => {
		for (const latencyMs of [20, 300]) {
			const byTen = await measureLoad(createLimiter(), { items: 60, concurrency: 10, latencyMs });
			const byFifty = await measureLoad(createLimiter(), { items: 60, concurrency: 50, latencyMs });
			const shareOf = ({ rejected, requests }: typeof byTen) => rejected / requests;
			expect(byFifty.failed).toBe(0);
			expect(shareOf(byFifty)).toBeLessThanOrEqual(shareOf(byTen) + 0.15);
			expect(byFifty.seconds).toBeLessThanOrEqual(1.5 * byTen.seconds);
		}
	},
);

it('a run with concurrency 50 at a service without a limit takes two responses longer at most', async () => {
	const latencyMs = 300;
	const { seconds } = await measureLoad(() => ({}), { items: 1000, concurrency: 50, latencyMs });
	const responses = 1000 / 50;
	expect(seconds).toBeLessThanOrEqual(((responses + 2) * latencyMs) / 1000);
});

it('the send rate rises after the service has raised its limit', async () => {
	const createRaisedLimiter = () =>
		switchLimiterAt(acceptFivePerSecond(), 10_000, slidingWindow(50, '2'));
	const { rejected, requests, seconds } = await measureLoad(createRaisedLimiter(), {
		items: 300,
		concurrency: 10,
	});
	expect(rejected).toBeLessThanOrEqual(0.1 * requests);
	// At five requests a second, 300 items take a minute.
	expect(seconds).toBeLessThan(40);
});

it('a few misleading rejections cost time, but no item fails', async () => {
	let count = 0;
	const misleadingLimiter: Limiter = () =>
		[4, 15, 17].includes(++count) ? { retryAfter: '50' } : {};
	const { failed, rejected } = await measureLoad(misleadingLimiter, { items: 60, concurrency: 10 });
	expect({ failed, rejected }).toEqual({ failed: 0, rejected: 3 });
});

it('the next execution uses the learned send rate, which is forgotten after a minute', async () => {
	const load = { items: 60, concurrency: 10, key: 'the same' };
	const countRejections = async () => (await measureLoad(acceptFivePerSecond(), load)).rejected;
	expect(await countRejections()).toBeGreaterThan(5);
	expect(await countRejections()).toBeLessThanOrEqual(3);
	await jest.advanceTimersByTimeAsync(60_001);
	expect(await countRejections()).toBeGreaterThan(5);
});

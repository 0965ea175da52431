// Protects starts of the workflow: each is requested until n8n confirms it, within the limits.
import { createKeys, createSavedStart, HOUR, nextTurn, StartsHarness } from './startsHarness';

describe('several starts requested in one turn', () => {
	test('are all recorded before the first is sent, and saved once before the last is sent', async () => {
		const harness = new StartsHarness();
		await harness.send('a', 'b', 'c');
		expect(harness.log.slice(0, 7)).toEqual([
			'request a',
			'request b',
			'request c',
			'emit a',
			'emit b',
			'save',
			'emit c',
		]);
		await nextTurn();
		expect(harness.log.slice(7)).toEqual(['confirm a', 'confirm b', 'confirm c']);
		expect(harness.savedKeys).toEqual([]);
	});

	test('are saved until n8n confirms them', async () => {
		const harness = new StartsHarness();
		harness.runExecution = async () => await harness.time.sleep(HOUR);
		await harness.send('a');
		expect(harness.starts.all()).toMatchObject([
			{ key: 'a', cause: 'of a', requestedAt: harness.time.clock.now(), isExpired: false },
		]);
		await harness.time.advance(HOUR);
		expect(harness.savedKeys).toEqual([]);
	});

	test('never exceed the limit of unconfirmed starts', async () => {
		const harness = new StartsHarness([], { maxUnconfirmed: 50 });
		harness.runExecution = async (key) => await harness.time.sleep(1000 + Number(key.slice(1)));
		let isSent = false;
		void harness.send(...createKeys(120)).then(() => (isSent = true));
		await harness.time.advance(500);
		expect(harness.maxUnconfirmedCount).toBe(50);
		expect(harness.savedKeys).toHaveLength(50);
		expect(isSent).toBe(false);
		await harness.time.advance(2 * HOUR);
		expect(harness.maxUnconfirmedCount).toBe(50);
		expect(isSent).toBe(true);
		expect(harness.log.filter((line) => line.startsWith('emit'))).toEqual(
			createKeys(120).map((key) => `emit ${key}`),
		);
	});

	test('include the starts that continue one of them, even above the limit', async () => {
		const harness = new StartsHarness([], { maxUnconfirmed: 2 });
		harness.runExecution = async () => await harness.time.sleep(HOUR);
		void harness.send('a', 'b', '+b', '+c', 'd', '+d');
		await nextTurn();
		expect(harness.savedKeys).toEqual(['a', 'b', '+b', '+c']);
		await harness.time.advance(HOUR);
		expect(harness.savedKeys).toEqual(['d', '+d']);
	});

	test('are not sent after the signal aborts, and a waiting caller resumes at once', async () => {
		const harness = new StartsHarness([], { maxUnconfirmed: 1 });
		harness.runExecution = async () => await harness.time.sleep(HOUR);
		const waitingCall = harness.send('a', 'b');
		await nextTurn();
		harness.abort.abort(new Error('closed'));
		await waitingCall;
		await harness.time.advance(2 * HOUR);
		await harness.send('c');
		expect(harness.log.filter((line) => line.startsWith('emit'))).toEqual(['emit a']);
	});
});

describe('batches of starts', () => {
	/** Returns the times at which starts are requested, in batches of ten. */
	const listRequestTimes = async (
		count: number,
		run: (harness: StartsHarness) => Promise<unknown>,
	) => {
		const harness = new StartsHarness([], { batchSize: 10, batchGapMs: 50 });
		const requestTimesMs: number[] = [];
		harness.runExecution = async () => {
			requestTimesMs.push(harness.time.nowMs);
			return await run(harness);
		};
		void harness.send(...createKeys(count));
		await harness.time.advance(900);
		const firstTimesMs = requestTimesMs.splice(0);
		await harness.time.advance(1000);
		return [firstTimesMs, requestTimesMs].map((times) =>
			[...new Set(times)].map((timeMs) => [timeMs, times.filter((one) => one === timeMs).length]),
		);
	};

	test('have a pause after each full batch, and do not wait for confirmations', async () => {
		const [first, later] = await listRequestTimes(25, async ({ time }) => await time.sleep(HOUR));
		expect(first).toEqual([
			[0, 10],
			[50, 10],
			[100, 5],
		]);
		expect(later).toEqual([]);
	});

	test('limit rejected starts, too', async () => {
		const [, later] = await listRequestTimes(
			25,
			async () => await Promise.reject(new Error('full')),
		);
		expect(later).toEqual([
			[1000, 10],
			[1050, 10],
			[1100, 5],
		]);
	});
});

describe('a start that n8n rejects', () => {
	test('is requested again with the same key, with delays that grow to a minute', async () => {
		const harness = new StartsHarness();
		const requestTimesMs: number[] = [];
		harness.runExecution = async () => {
			requestTimesMs.push(harness.time.nowMs);
			await Promise.reject(new Error('full'));
		};
		await harness.send('a');
		await harness.time.advance(250_000);
		expect(requestTimesMs.map((timeMs) => timeMs / 1000)).toEqual([
			0, 1, 3, 7, 15, 31, 63, 123, 183, 243,
		]);
		expect(harness.log).not.toContain('confirm a');
		expect(harness.reports).toEqual(['full']);
		harness.runExecution = async () => 'a run';
		await harness.time.advance(60_000);
		expect(harness.log).toContain('confirm a');
	});

	test('is marked as requested once: a later change of its record must not be undone', async () => {
		const harness = new StartsHarness();
		let rejectionsLeft = 2;
		harness.runExecution = async () =>
			rejectionsLeft-- > 0 ? await Promise.reject(new Error('full')) : 'a run';
		await harness.send('a');
		await harness.time.advance(60_000);
		expect(harness.log.filter((line) => line === 'request a')).toHaveLength(1);
		expect(harness.log.filter((line) => line === 'emit a')).toHaveLength(3);
	});

	test('is reported only after five rejections in a row', async () => {
		const harness = new StartsHarness();
		let rejectionsLeft = 4;
		harness.runExecution = async () =>
			rejectionsLeft-- > 0 ? await Promise.reject(new Error('full')) : 'a run';
		await harness.send('a');
		await harness.time.advance(60_000);
		rejectionsLeft = 4;
		await harness.send('b');
		await harness.time.advance(60_000);
		expect(harness.reports).toEqual([]);
		expect(harness.savedKeys).toEqual([]);
	});

	test('gets a new request time with each request, since it has certainly not run', async () => {
		const harness = new StartsHarness();
		harness.runExecution = async () => await Promise.reject(new Error('full'));
		await harness.send('a');
		await harness.time.advance(3000);
		expect(harness.starts.all()[0]!.requestedAt).toBe(harness.time.clock.now());
	});

	test('keeps its request time if it was requested before the restart, since it may have run', async () => {
		const { time } = new StartsHarness();
		const harness = new StartsHarness([createSavedStart(time, 'a', HOUR)]);
		harness.runExecution = async () => await Promise.reject(new Error('full'));
		await harness.send('a');
		await harness.time.advance(3000);
		expect(harness.starts.all()[0]!.requestedAt).toBe(time.clock.now() - HOUR);
	});

	test('has certainly not run until it is requested again, and is saved as such', async () => {
		const harness = new StartsHarness();
		harness.runExecution = async () => await Promise.reject(new Error('full'));
		const firstRequest = harness.send('a');
		expect(harness.starts.requestedAt('a')).toBe(harness.time.clock.now());
		await firstRequest;
		await nextTurn();
		expect(harness.starts.requestedAt('a')).toBeUndefined();
		expect(harness.log.at(-1)).toBe('save');
	});

	test('has its own delay, which begins with one second again once the start is confirmed', async () => {
		const harness = new StartsHarness();
		let rejectionsLeft = 3;
		const requestTimesMs: number[] = [];
		harness.runExecution = async () => {
			requestTimesMs.push(harness.time.nowMs);
			return rejectionsLeft-- > 0 ? await Promise.reject(new Error('full')) : 'a run';
		};
		await harness.send('a');
		await harness.time.advance(10_000);
		rejectionsLeft = 1;
		await harness.send('a');
		await harness.time.advance(10_000);
		expect(requestTimesMs).toEqual([0, 1000, 3000, 7000, 10_000, 11_000]);
	});

	test('is confirmed together with another start that has the same key', async () => {
		const harness = new StartsHarness();
		let isFirstRequest = true;
		harness.runExecution = async () => {
			if (!isFirstRequest) return 'a run';
			isFirstRequest = false;
			return await Promise.reject(new Error('full'));
		};
		await harness.send('a', 'a');
		await harness.time.advance(60_000);
		expect(harness.log.filter((line) => line === 'confirm a')).toHaveLength(2);
	});
});

import type { ListReport, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { OutgoingStart } from '../../../../nodes/engine/trigger/lists/core/changesToStart';
import type { SavedStart } from '../../../../nodes/engine/trigger/lists/core/listSnapshot';
import { PendingStarts } from '../../../../nodes/engine/trigger/lists/core/pendingStarts';
import { VirtualTime } from '../support/virtualTime';
import { createList } from './listHarness';

const HOUR = 3_600_000;

/** The starts of a follower, with an n8n that the test controls. */
class StartsHarness {
	readonly time = new VirtualTime();
	/** The calls in order: `request`, `emit`, `save` and `confirm`, with the key of the start. */
	readonly log: string[] = [];
	readonly reports: ListReport[] = [];
	readonly abort = new AbortController();
	readonly starts: PendingStarts<ListDefinition>;
	runExecution: (key: string) => Promise<unknown> = async () => 'a run';
	unconfirmedCount = 0;
	/** The largest value that `unconfirmedCount` has had. */
	maxUnconfirmedCount = 0;

	constructor(
		savedStarts: SavedStart[] = [],
		options: { maxUnconfirmed?: number; repeatStartsForMs?: number } = {},
	) {
		this.starts = new PendingStarts<ListDefinition>(
			{
				emit: async ({ key }) => {
					this.log.push(`emit ${key}`);
					this.maxUnconfirmedCount = Math.max(this.maxUnconfirmedCount, ++this.unconfirmedCount);
					try {
						return await this.runExecution(key);
					} finally {
						this.unconfirmedCount--;
					}
				},
				save: () => void this.log.push('save'),
				report: (report) => void this.reports.push(report),
				sleep: this.time.sleep,
				now: () => this.time.clock.now(),
			},
			{ maxUnconfirmed: 50, repeatStartsForMs: 72 * HOUR, ...options },
			savedStarts,
		);
	}

	private createStart(key: string): OutgoingStart<ListDefinition> {
		return {
			key,
			changes: [{ list: createList(), kind: 'created', id: `of ${key}`, record: {} }],
			markRequested: () => void this.log.push(`request ${key}`),
			markConfirmed: () => void this.log.push(`confirm ${key}`),
		};
	}

	send(...keys: string[]): Promise<void> {
		return this.starts.send(
			keys.map((key) => this.createStart(key)),
			this.abort.signal,
		);
	}

	get savedKeys(): string[] {
		return this.starts.toSaved().map(({ key }) => key);
	}
}

/** Resolves in the next turn of the event loop. */
const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve));
const createKeys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);
/** A start that was requested this long ago, before the last restart. */
const createSavedStart = (
	time: VirtualTime,
	key: string,
	ageMs: number,
	expired?: true,
): SavedStart => ({
	key,
	changes: [['people', 'created', `of ${key}`]],
	requestedAt: time.clock.now() - ageMs,
	...(expired && { expired }),
});

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
		expect(harness.starts.toSaved()).toEqual([
			{ key: 'a', changes: [['people', 'created', 'of a']], requestedAt: harness.time.clock.now() },
		]);
		expect(harness.starts.isIdle).toBe(false);
		await harness.time.advance(HOUR);
		expect(harness.savedKeys).toEqual([]);
		expect(harness.starts.isIdle).toBe(true);
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
		expect(harness.reports).toEqual([{ kind: 'startsRejected', message: 'full' }]);
		harness.runExecution = async () => 'a run';
		await harness.time.advance(60_000);
		expect(harness.log).toContain('confirm a');
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
		expect(harness.starts.toSaved()[0]!.requestedAt).toBe(harness.time.clock.now());
	});

	test('keeps its request time if it was requested before the restart, since it may have run', async () => {
		const { time } = new StartsHarness();
		const harness = new StartsHarness([createSavedStart(time, 'a', HOUR)]);
		harness.runExecution = async () => await Promise.reject(new Error('full'));
		await harness.send('a');
		await harness.time.advance(3000);
		expect(harness.starts.toSaved()[0]!.requestedAt).toBe(time.clock.now() - HOUR);
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
		expect(harness.starts.isIdle).toBe(true);
	});
});

describe('a start requested before the last restart', () => {
	const { time } = new StartsHarness();

	test('is requested again within 72 hours', async () => {
		const harness = new StartsHarness([createSavedStart(time, 'a', 72 * HOUR - 1)]);
		await harness.send('a');
		expect(harness.log).toContain('emit a');
		expect(harness.reports).toEqual([]);
	});

	test('expires after 72 hours: the start counts as confirmed, and is reported once', async () => {
		const harness = new StartsHarness([
			createSavedStart(time, 'a', 72 * HOUR),
			createSavedStart(time, 'b', 73 * HOUR),
		]);
		harness.starts.reportExpired();
		harness.starts.reportExpired();
		expect(harness.reports).toEqual([{ kind: 'startsUnclear', ids: ['of a', 'of b'] }]);
		expect(harness.starts.toSaved()).toMatchObject([{ expired: true }, { expired: true }]);
		await harness.send('a');
		expect(harness.log).toEqual(['request a', 'confirm a']);
		expect(harness.savedKeys).toEqual(['b']);
		const restartedHarness = new StartsHarness(harness.starts.toSaved());
		restartedHarness.starts.reportExpired();
		await restartedHarness.send('b');
		expect(restartedHarness.reports).toEqual([]);
		expect(restartedHarness.log).toEqual(['request b', 'confirm b']);
	});

	test('expires at once if n8n does not store deduplication keys', async () => {
		const harness = new StartsHarness([createSavedStart(time, 'a', 0)], { repeatStartsForMs: 0 });
		await harness.send('a', 'new');
		expect(harness.log).toContain('emit new');
		expect(harness.log).not.toContain('emit a');
		expect(harness.reports).toEqual([{ kind: 'startsUnclear', ids: ['of a'] }]);
	});

	test('expires even if 72 hours pass only after the restart', async () => {
		const harness = new StartsHarness([createSavedStart(time, 'a', 71 * HOUR)]);
		harness.starts.reportExpired();
		await harness.time.advance(HOUR);
		await harness.send('a');
		expect(harness.log).toEqual(['request a', 'confirm a']);
		expect(harness.reports).toEqual([{ kind: 'startsUnclear', ids: ['of a'] }]);
	});

	test('gets the present as its request time if its request time lies in the future', () => {
		const harness = new StartsHarness([createSavedStart(time, 'a', -500 * HOUR)]);
		expect(harness.starts.toSaved()[0]!.requestedAt).toBe(time.clock.now());
	});

	test('is no longer saved once it is dropped', () => {
		const harness = new StartsHarness([
			createSavedStart(time, 'a', 0),
			createSavedStart(time, 'b', 0),
		]);
		harness.starts.drop('a');
		expect(harness.savedKeys).toEqual(['b']);
	});

	test('is restored only if it is one of the latest thousand', () => {
		const savedStarts = createKeys(1005).map((key) => createSavedStart(time, key, 100 * HOUR));
		expect(new StartsHarness(savedStarts).savedKeys).toEqual(createKeys(1005).slice(5));
	});
});

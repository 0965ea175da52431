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
	/** Events in order. */
	readonly log: string[] = [];
	readonly reports: ListReport[] = [];
	readonly abort = new AbortController();
	readonly starts: PendingStarts<ListDefinition>;
	runExecution: (key: string) => Promise<unknown> = async () => 'a run';
	unconfirmedCount = 0;
	maxUnconfirmedCount = 0;

	constructor(
		saved: SavedStart[] = [],
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
			saved,
		);
	}

	outgoingStart(key: string): OutgoingStart<ListDefinition> {
		return {
			key,
			changes: [{ list: createList(), kind: 'created', id: `of ${key}`, record: {} }],
			markRequested: () => void this.log.push(`ask ${key}`),
			markConfirmed: () => void this.log.push(`confirm ${key}`),
		};
	}

	send(...keys: string[]): Promise<void> {
		return this.starts.send(
			keys.map((key) => this.outgoingStart(key)),
			this.abort.signal,
		);
	}

	get saved(): string[] {
		return this.starts.toSaved().map(({ key }) => key);
	}
}

const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve));
const createKeys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);
const savedStart = (time: VirtualTime, key: string, ageMs: number, expired?: true): SavedStart => ({
	key,
	changes: [['people', 'created', `of ${key}`]],
	requestedAt: time.clock.now() - ageMs,
	...(expired && { expired }),
});

describe('several starts requested in one turn', () => {
	test('are all recorded before the first is sent, and saved once before the last', async () => {
		const harness = new StartsHarness();
		await harness.send('a', 'b', 'c');
		expect(harness.log.slice(0, 7)).toEqual([
			'ask a',
			'ask b',
			'ask c',
			'emit a',
			'emit b',
			'save',
			'emit c',
		]);
		await nextTurn();
		expect(harness.log.slice(7)).toEqual(['confirm a', 'confirm b', 'confirm c']);
		expect(harness.saved).toEqual([]);
	});

	test('are recorded until n8n confirms them', async () => {
		const harness = new StartsHarness();
		harness.runExecution = async () => await harness.time.sleep(HOUR);
		await harness.send('a');
		expect(harness.starts.toSaved()).toEqual([
			{ key: 'a', changes: [['people', 'created', 'of a']], requestedAt: harness.time.clock.now() },
		]);
		expect(harness.starts.isIdle).toBe(false);
		await harness.time.advance(HOUR);
		expect(harness.saved).toEqual([]);
		expect(harness.starts.isIdle).toBe(true);
	});

	test('never exceed the limit of unconfirmed starts', async () => {
		const harness = new StartsHarness([], { maxUnconfirmed: 50 });
		harness.runExecution = async (key) => await harness.time.sleep(1000 + Number(key.slice(1)));
		let isSent = false;
		void harness.send(...createKeys(120)).then(() => (isSent = true));
		await harness.time.advance(500);
		expect(harness.maxUnconfirmedCount).toBe(50);
		expect(harness.saved).toHaveLength(50);
		expect(isSent).toBe(false);
		await harness.time.advance(2 * HOUR);
		expect(harness.maxUnconfirmedCount).toBe(50);
		expect(isSent).toBe(true);
		expect(harness.log.filter((line) => line.startsWith('emit'))).toEqual(
			createKeys(120).map((key) => `emit ${key}`),
		);
	});

	test('are not sent after the stop, and waiting callers are released at once', async () => {
		const harness = new StartsHarness([], { maxUnconfirmed: 1 });
		harness.runExecution = async () => await harness.time.sleep(HOUR);
		const sent = harness.send('a', 'b');
		await nextTurn();
		harness.abort.abort(new Error('closed'));
		await sent;
		await harness.time.advance(2 * HOUR);
		await harness.send('c');
		expect(harness.log.filter((line) => line.startsWith('emit'))).toEqual(['emit a']);
	});
});

describe('a start that n8n rejects', () => {
	test('is requested again with the same key, with delays that grow to a minute', async () => {
		const harness = new StartsHarness();
		const times: number[] = [];
		harness.runExecution = async () => {
			times.push(harness.time.nowMs);
			await Promise.reject(new Error('full'));
		};
		await harness.send('a');
		await harness.time.advance(250_000);
		expect(times.map((time) => time / 1000)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
		expect(harness.log).not.toContain('confirm a');
		expect(harness.reports).toEqual([{ kind: 'startsRejected', message: 'full' }]);
		harness.runExecution = async () => 'a run';
		await harness.time.advance(60_000);
		expect(harness.log).toContain('confirm a');
	});

	test('is reported only after five rejections in a row', async () => {
		const harness = new StartsHarness();
		let startsLeft = 4;
		harness.runExecution = async () =>
			startsLeft-- > 0 ? await Promise.reject(new Error('full')) : 'a run';
		await harness.send('a');
		await harness.time.advance(60_000);
		startsLeft = 4;
		await harness.send('b');
		await harness.time.advance(60_000);
		expect(harness.reports).toEqual([]);
		expect(harness.saved).toEqual([]);
	});

	test('has certainly not run, so its time starts again', async () => {
		const harness = new StartsHarness();
		harness.runExecution = async () => await Promise.reject(new Error('full'));
		await harness.send('a');
		await harness.time.advance(3000);
		expect(harness.starts.toSaved()[0]!.requestedAt).toBe(harness.time.clock.now());
	});

	test('keeps its time if it was requested before the restart and may have run', async () => {
		const { time } = new StartsHarness();
		const harness = new StartsHarness([savedStart(time, 'a', HOUR)]);
		harness.runExecution = async () => await Promise.reject(new Error('full'));
		await harness.send('a');
		await harness.time.advance(3000);
		expect(harness.starts.toSaved()[0]!.requestedAt).toBe(time.clock.now() - HOUR);
	});

	test('is confirmed together with another start that has the same key', async () => {
		const harness = new StartsHarness();
		let first = true;
		harness.runExecution = async () => {
			if (!first) return 'a run';
			first = false;
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
		const harness = new StartsHarness([savedStart(time, 'a', 72 * HOUR - 1)]);
		await harness.send('a');
		expect(harness.log).toContain('emit a');
		expect(harness.reports).toEqual([]);
	});

	test('counts as started after that, and is reported once', async () => {
		const harness = new StartsHarness([
			savedStart(time, 'a', 72 * HOUR),
			savedStart(time, 'b', 73 * HOUR),
		]);
		harness.starts.reportExpired();
		harness.starts.reportExpired();
		expect(harness.reports).toEqual([{ kind: 'startsUnclear', ids: ['of a', 'of b'] }]);
		expect(harness.starts.toSaved()).toMatchObject([{ expired: true }, { expired: true }]);
		await harness.send('a');
		expect(harness.log).toEqual(['ask a', 'confirm a']);
		expect(harness.saved).toEqual(['b']);
		const again = new StartsHarness(harness.starts.toSaved());
		again.starts.reportExpired();
		await again.send('b');
		expect(again.reports).toEqual([]);
		expect(again.log).toEqual(['ask b', 'confirm b']);
	});

	test('counts as started at once if n8n does not store deduplication keys', async () => {
		const harness = new StartsHarness([savedStart(time, 'a', 0)], { repeatStartsForMs: 0 });
		await harness.send('a', 'new');
		expect(harness.log).toContain('emit new');
		expect(harness.log).not.toContain('emit a');
		expect(harness.reports).toEqual([{ kind: 'startsUnclear', ids: ['of a'] }]);
	});

	test('can expire while it waits', async () => {
		const harness = new StartsHarness([savedStart(time, 'a', 71 * HOUR)]);
		harness.starts.reportExpired();
		await harness.time.advance(HOUR);
		await harness.send('a');
		expect(harness.log).toEqual(['ask a', 'confirm a']);
		expect(harness.reports).toEqual([{ kind: 'startsUnclear', ids: ['of a'] }]);
	});

	test('counts from now if the clock was ahead', () => {
		const harness = new StartsHarness([savedStart(time, 'a', -500 * HOUR)]);
		expect(harness.starts.toSaved()[0]!.requestedAt).toBe(time.clock.now());
	});

	test('is no longer saved once it is dropped', () => {
		const harness = new StartsHarness([savedStart(time, 'a', 0), savedStart(time, 'b', 0)]);
		harness.starts.drop('a');
		expect(harness.saved).toEqual(['b']);
	});

	test('is kept in a history of the latest thousand', () => {
		const many = createKeys(1005).map((key) => savedStart(time, key, 100 * HOUR));
		expect(new StartsHarness(many).saved).toEqual(createKeys(1005).slice(5));
	});
});

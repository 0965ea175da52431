// Protects what the simulator proves about triggers that watch IDs: only a documented limit excuses a broken promise.
import type { History, NewEvent } from '../history';
import {
	KEY,
	historyOf,
	settings,
	entered,
	decided,
	startRequested,
	started,
	killed,
	brokenBy,
	excusesOf,
} from './idEvents';
import { checkIds } from './ids';

describe('documented limits', () => {
	const forgetful: NewEvent = { type: 'settings', keepsExecutions: false };
	const pruned: NewEvent = { type: 'pruned', key: KEY };
	const twice = [startRequested, started, pruned, killed, started];
	const reported: NewEvent = { type: 'reported', message: 'Unclear', description: 'The ID: a' };
	const submitted: NewEvent = { type: 'submitted', submission: 1, ids: ['a'] };
	const acknowledged: NewEvent = { type: 'acknowledged', submission: 1, status: 200 };
	const saveBegan = (save: number): NewEvent => ({
		type: 'saveBegan',
		workflow: 'workflow',
		process: 1,
		save,
	});
	const saved = (save: number, beganAt: number): NewEvent => ({
		type: 'saved',
		workflow: 'workflow',
		beganAt,
		save,
	});
	const processStarted = (process: number): NewEvent => ({ type: 'processStarted', process });

	it('an unclear start is reported instead', () => {
		expect(excusesOf(forgetful, entered, decided, startRequested, killed, reported)).toEqual([
			'an unclear start is reported instead',
		]);
		const threeDays: NewEvent = { type: 'clockStepped', byMs: 72 * 3_600_000 };
		const kept = [settings, entered, decided, startRequested, killed];
		expect(excusesOf(...kept, threeDays, reported)).toHaveLength(1);
		expect(brokenBy(...kept, reported)).toEqual(['only unclear starts are reported as such']);
	});

	it('a start that waits until a submitted ID is saved counts as requested', () => {
		const other: NewEvent = { type: 'submitted', submission: 1, ids: ['b'] };
		expect(excusesOf(forgetful, entered, decided, other, killed, reported)).toContain(
			'a start that waits until a submitted ID is saved counts as requested',
		);
		expect(brokenBy(forgetful, entered, decided, killed, reported)).toHaveLength(1);
	});

	it('n8n had not saved that the unclear start was reported', () => {
		const first = [forgetful, entered, decided, startRequested, killed, reported];
		expect(excusesOf(...first, killed, reported)).toContain(
			'n8n had not saved that the unclear start was reported',
		);
		const again = [killed, reported];
		expect(brokenBy(...first, saveBegan(1), saved(1, 6000), ...again)).toEqual([
			'an unclear start is reported once',
		]);
		// An older save overwrote it, or one that began in the same millisecond and had read the state before.
		const both = [saveBegan(1), saveBegan(2)];
		expect(brokenBy(saveBegan(0), ...first, ...both, saved(1, 7000), ...again)).toHaveLength(1);
		const overwritten = [saveBegan(2), saved(2, 8000), saved(1, 0), ...again];
		expect(excusesOf(saveBegan(1), ...first, ...overwritten)).toContain(
			'n8n had not saved that the unclear start was reported',
		);
		const atOnce = historyOf(...first, ...both, saved(2, 5000), saved(1, 5000), ...again).map(
			(event) => (event.type === 'saveBegan' ? { ...event, at: 5000 } : event),
		);
		expect(checkIds(atOnce).violations).toEqual([]);
	});

	it('two processes of n8n ran at once, and both reported an unclear start', () => {
		const first = [forgetful, entered, decided, startRequested];
		const both = [processStarted(1), processStarted(2), reported, reported];
		expect(excusesOf(...first, ...both)).toContain(
			'two processes of n8n ran at once, and both reported an unclear start',
		);
	});

	it('an ID is submitted again after its start was reported as unclear', () => {
		const first = [forgetful, entered, decided, startRequested, started, pruned];
		expect(excusesOf(...first, reported, submitted, started)).toEqual([
			'an ID is submitted again after its start was reported as unclear',
		]);
	});

	it('n8n keeps no executions and had not saved the start when it was killed', () => {
		const withSave = (...events: NewEvent[]): History =>
			historyOf(...events).flatMap((event): History =>
				event.type === 'startRequested' ? [{ at: event.at, ...saveBegan(2) }, event] : [event],
			);
		const verdictOf = (...events: NewEvent[]) => checkIds(withSave(...events));
		const simple = verdictOf(forgetful, entered, decided, ...twice);
		expect([simple.violations, [...simple.exceptions.keys()]]).toEqual([
			[],
			['n8n keeps no executions and had not saved the start when it was killed'],
		]);
		// A trigger that gives n8n nothing to save before the start is not excused.
		expect(brokenBy(forgetful, entered, decided, ...twice)).toHaveLength(1);
		// A state from before the request does not contain it, even if it is written last.
		const overwritten = [startRequested, saved(2, 3000), saved(1, 0), ...twice.slice(1)];
		expect(verdictOf(forgetful, entered, decided, ...overwritten).violations).toEqual([]);
		// The save that contains it is no excuse.
		const kept = [startRequested, saved(2, 3000), ...twice.slice(1)];
		expect(verdictOf(forgetful, entered, decided, ...kept).violations).toHaveLength(1);
	});

	it('the clock was set back while n8n started the workflow, and n8n deleted the execution too early', () => {
		const step = (hours: number): NewEvent => ({ type: 'clockStepped', byMs: hours * 3_600_000 });
		const begin = [settings, entered, decided];
		const again = (hours: number) => [pruned, killed, step(hours), started];
		expect(excusesOf(...begin, startRequested, step(-24), started, ...again(74))).toEqual([
			'the clock was set back while n8n started the workflow, and n8n deleted the execution too early',
		]);
		const promise = ['an ID starts the workflow once'];
		expect(brokenBy(...begin, step(-24), startRequested, started, ...again(74))).toEqual(promise);
		// The start waits until a submitted ID is saved.
		const waiting = [submitted, step(-24), startRequested, acknowledged, started];
		expect(excusesOf(settings, decided, ...waiting, ...again(74))).toEqual([
			'the clock was set back while n8n started the workflow, and n8n deleted the execution too early',
		]);
		// The trigger itself does not request the start any more.
		expect(brokenBy(...begin, startRequested, step(-24), started, ...again(96))).toEqual(promise);
	});

	it('no second start is excused if n8n keeps its executions', () => {
		const kept = twice.filter((event) => event !== pruned);
		expect(brokenBy(settings, entered, decided, ...kept)).toHaveLength(1);
	});

	it('n8n keeps no executions, and two of its processes ran at once', () => {
		const processes = [processStarted(1), processStarted(2)];
		const events = [forgetful, entered, decided, ...processes, startRequested, started];
		expect(excusesOf(...events, saved(2, 9000), pruned, started)).toEqual([
			'n8n keeps no executions, and two of its processes ran at once',
		]);
		expect(brokenBy(...events, saved(2, 9000), started)).toHaveLength(1);
	});

	it('a restored backup contains neither the start nor the ID', () => {
		const copied: NewEvent = { type: 'copied' };
		const restored = (copiedAt: number): NewEvent => ({ type: 'restored', copiedAt });
		const events = [settings, entered, decided, copied, startRequested, started];
		expect(excusesOf(...events, restored(3000), started)).toEqual([
			'a restored backup does not contain the start',
		]);
		expect(brokenBy(...events, copied, restored(6000), started)).toHaveLength(1);
		expect(excusesOf(settings, copied, submitted, acknowledged, restored(1000))).toEqual([
			'a restored backup does not contain the ID',
		]);
		expect(brokenBy(settings, submitted, acknowledged, copied, restored(3000))).toHaveLength(1);
	});

	it('another process of n8n overwrote the ID', () => {
		const overwriting: NewEvent = { ...(saved(1, 0) as object), process: 1 } as NewEvent;
		const accepted = [settings, submitted, acknowledged, overwriting];
		const processes = [processStarted(1), processStarted(2)];
		expect(excusesOf(...processes, ...accepted)).toEqual([
			'another process of n8n overwrote the ID',
		]);
		expect(brokenBy(processStarted(1), ...accepted)).toHaveLength(1);
	});
});

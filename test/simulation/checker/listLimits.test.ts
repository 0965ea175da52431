// Protects what the simulator proves about triggers that follow lists: only a documented limit excuses a broken promise.
import type { NewEvent } from '../history';
import {
	at,
	begin,
	brokenBy,
	changed,
	created,
	excusesOf,
	filtered,
	followed,
	killed,
	NUMBER,
	received,
	restarted,
	saved,
	show,
	started,
	starts,
} from './listMoments';

describe('documented limits', () => {
	const again = starts('created', show(0), 'created', 2);
	/** More than two minutes, after which a received change has started the workflow. */
	const pause = Array<NewEvent>(20).fill({ type: 'copied' });
	const remembering: NewEvent = { type: 'settings', keepsExecutions: true };

	it('n8n had not saved the start when it ended', () => {
		expect(excusesOf(...begin, ...created, killed, restarted, ...again)).toEqual([
			'n8n had not saved the start when it ended',
		]);
		const once = ['a change starts the workflow once'];
		const late: NewEvent = { type: 'saved', workflow: 'w', beganAt: 80_000 };
		expect(brokenBy(...begin, ...created, late, killed, restarted, ...again)).toEqual(once);
		// The trigger gave n8n nothing to save.
		const unsaved = created.map((moment) => (Array.isArray(moment) ? moment[1]! : moment));
		expect(brokenBy(...begin, ...unsaved, killed, restarted, ...again)).toEqual(once);
		// n8n recognizes the key.
		const filteredEvents = [filtered, started, saved, remembering, ...created, killed, restarted];
		expect(brokenBy(...filteredEvents, ...again)).toEqual(once);
		const pruned: NewEvent = { type: 'pruned', key: 'created' };
		expect(excusesOf(...filteredEvents, pruned, ...again)).toEqual([
			'n8n had not saved the start when it ended',
		]);
	});

	it('n8n ignores a later change that has the key of an unsaved start', () => {
		const late: NewEvent = { type: 'saved', workflow: 'w', beganAt: 80_000, process: 1 };
		const latest: NewEvent = { type: 'saved', workflow: 'w', beganAt: 150_000, process: 1 };
		const updated = [changed(show(1)), ...received([show(1)]), ...starts('updated', show(1))];
		const back = [
			changed(show(0)),
			...received([show(0)], 2),
			...starts('updated', show(0), 'a', 2),
		];
		const changedAgain = [changed(show(1)), ...received([show(1)], 2)];
		const after = [...pause, killed, restarted, ...back, ...changedAgain];
		expect(excusesOf(...begin, ...created, late, ...updated, ...after)).toContain(
			'n8n had not saved the start when it ended',
		);
		expect(brokenBy(...begin, ...created, late, ...updated, latest, ...after)).toEqual([
			'a change that was received starts the workflow',
		]);
	});

	it('a restored backup does not contain the start', () => {
		const late: NewEvent = { type: 'saved', workflow: 'w', beganAt: 80_000, process: 1 };
		const restored = (copiedAt: number): NewEvent => ({ type: 'restored', copiedAt });
		const events = [filtered, started, saved, ...created, late, killed];
		expect(excusesOf(...events, restored(30_000), restarted, ...again)).toEqual([
			'a restored backup does not contain the start',
		]);
		expect(brokenBy(...events, restored(105_000), restarted, ...again)).toEqual([
			'a change starts the workflow once',
		]);
	});

	it('two processes of n8n ran at once, and one did not know the start of the other', () => {
		const events = [started, saved, restarted, ...created, ...again];
		expect(excusesOf(followed, ...events)).toEqual([
			'two processes of n8n ran at once, and one did not know the start of the other',
		]);
		expect(brokenBy(filtered, remembering, ...events)).toEqual([
			'a change starts the workflow once',
		]);
	});

	it('a record that is imported with a date from shortly before counts as new or as changed', () => {
		const imported = (createdAt: number) => [
			changed(show(0), createdAt),
			...received([show(0)]),
			...starts('created', show(0)),
		];
		expect(excusesOf(filtered, started, saved, ...imported(-90_000_000))).toEqual([]);
		expect(brokenBy(filtered, started, saved, ...imported(-110_000_000))).toEqual([
			'old records start nothing',
			'a change that was received starts the workflow',
		]);
	});

	it('a change waits while the most allowed starts are unconfirmed', () => {
		const waiting = ['a', 'b'].map((key): NewEvent => ({
			type: 'startRequested',
			process: 1,
			key,
		}));
		const changes = [changed(show(1)), ...received([show(1)])];
		const end = [...pause, killed, restarted];
		const back = [changed(show(0)), ...received([show(0)], 2)];
		const late: NewEvent = { type: 'saved', workflow: 'w', beganAt: 80_000, process: 1 };
		expect(excusesOf(...begin, ...created, late, ...waiting, ...changes, ...end, ...back)).toEqual([
			'n8n had not saved the state of a record when it ended',
		]);
		expect(brokenBy(...begin, ...created, late, ...changes, ...end, ...back)).toEqual([
			'a change that was received starts the workflow',
		]);
	});

	it('the state of a change that waits is unknown after a restart', () => {
		const waiting = ['a', 'b'].map((key): NewEvent => ({
			type: 'startRequested',
			process: 1,
			key,
		}));
		const late: NewEvent = { type: 'saved', workflow: 'w', beganAt: 80_000, process: 1 };
		const checkedIn = [changed(show(0, true)), ...received([show(0, true)])];
		const later: NewEvent = { type: 'saved', workflow: 'w', beganAt: 200_000, process: 1 };
		const end = [later, killed, restarted];
		const out = [
			changed(show(1)),
			...received([show(1)], 2),
			...starts('updated', show(1), 'c', 2),
		];
		const back = [changed(show(0)), ...received([show(0)], 2)];
		const known = [...created, late];
		expect(excusesOf(...begin, ...known, ...waiting, ...checkedIn, ...end, ...out)).toEqual([]);
		expect(excusesOf(...begin, ...known, ...waiting, ...checkedIn, ...end, ...back)).toEqual([
			'n8n had not saved the state of a record when it ended',
		]);
		expect(brokenBy(...begin, ...known, ...checkedIn, ...end, ...back)).toEqual([
			'a change that was received starts the workflow',
		]);
	});

	it('n8n was off for long before it saved what the first check had read', () => {
		const nothing = received([]);
		const off = (hours: number) => [
			killed,
			at(hours * 3_600_000, restarted),
			...[1, 2, 3].map((step) => at(hours * 3_600_000 + step * 60_000, ...received([], 2))),
		];
		const missed = [changed(show(0)), ...off(40)];
		expect(excusesOf(filtered, started, saved, ...missed)).toContain(
			'n8n was off for long before it saved what the first check had read',
		);
		const saidBefore = [filtered, started, ...nothing, { ...saved, beganAt: 50_000 } as NewEvent];
		expect(brokenBy(...saidBefore, ...missed)).toContain('every change is read');
		const shortly = [changed(show(0)), ...off(20)];
		expect(brokenBy(filtered, started, saved, ...shortly)).toContain('every change is read');
	});

	it('a list that the trigger learns of later is followed from then on', () => {
		const discovered = (...lists: string[]): NewEvent => ({ type: 'discovered', lists });
		const first = [...begin, changed(show(0)), discovered('other')];
		const later = [discovered('registrations'), ...received([show(0)]), ...pause];
		const missed = ['a change that was received starts the workflow'];
		expect(brokenBy(...first, ...later)).toEqual([]);
		expect(brokenBy(...first.slice(0, -1), ...later)).toEqual(missed);
	});

	it('a record was read before the workflow could be published', () => {
		const known = [changed(show(0), -9_000_000), ...received([show(0)])];
		const failed: NewEvent = { type: 'activationFailed', process: 1, workflow: 'w' };
		const others: NewEvent = { ...failed, workflow: 'other' };
		const afterwards = [changed(show(1)), ...received([show(1)]), ...pause];
		expect(excusesOf(followed, started, ...known, failed, ...afterwards)).toEqual([
			'a record was read before the workflow could be published',
		]);
		const missed = ['a change that was received starts the workflow'];
		const activated: NewEvent = { type: 'saved', workflow: 'w', beganAt: 60_000, process: 1 };
		expect(brokenBy(followed, started, ...known, activated, failed, ...afterwards)).toEqual(missed);
		expect(brokenBy(followed, started, ...known, others, ...afterwards)).toEqual(missed);
	});

	it('an unclear start is reported instead', () => {
		const report: NewEvent = {
			type: 'reported',
			message: 'Unclear',
			description: `The IDs: ${NUMBER}`,
		};
		expect(excusesOf(...begin, changed(show(0)), ...received([show(0)]), report)).toEqual([
			'an unclear start is reported instead',
		]);
	});

	it('n8n had not saved the state of a record when it ended', () => {
		const known = [changed(show(0), -9_000_000), ...received([show(0)])];
		const savedAfter: NewEvent = { type: 'saved', workflow: 'w', beganAt: 60_000 };
		const between = [changed(show(1)), ...received([show(1)]), killed, restarted];
		const back = [changed(show(0)), ...received([show(0)], 2)];
		expect(excusesOf(...begin, ...known, savedAfter, ...between, ...back)).toEqual([
			'n8n had not saved the state of a record when it ended',
		]);
	});

	it.each([
		[{ ...followed, kinds: ['updated'] }, 7 * 24],
		[{ ...filtered, kinds: ['updated'] }, 28],
	])('a deleted record appears again after it was forgotten: %#', (settings, knownHours) => {
		const known = [changed(show(0), -9_000_000), ...received([show(0)])];
		const backAfter = (missingMs: number, deletion: NewEvent[] = [changed()]) => {
			const time = 60_000 + missingMs;
			const missing = at(time, ...received([]));
			const back = at(time + 60_000, changed(show(1), time, time), ...received([show(1)]));
			return [settings, started, saved, ...known, ...deletion, missing, back];
		};
		const knownMs = knownHours * 3_600_000;
		expect(excusesOf(...backAfter(knownMs))).toEqual([
			'a deleted record appears again after it was forgotten',
		]);
		const lost = ['a change that was received starts the workflow'];
		expect(brokenBy(...backAfter(knownMs - 10_000))).toEqual(lost);
		expect(brokenBy(...backAfter(knownMs, []))).toEqual(lost);
	});

	it('a batch starts again after a crash', () => {
		const batched: NewEvent = { ...followed, batchesChanges: true };
		const late: NewEvent = { type: 'saved', workflow: 'w', beganAt: 80_000 };
		const events = [...created, late, killed, restarted, ...starts('created', show(0), 'batch')];
		expect(excusesOf(batched, started, saved, ...events)).toEqual([
			'a batch starts again after a crash',
		]);
	});

	it('a record appears later than two hours', () => {
		const late = changed(show(0), 30_000, 9_000_000);
		expect(excusesOf(filtered, started, saved, late)).toEqual([
			'a record appears later than two hours',
		]);
		expect(brokenBy(filtered, started, saved, changed(show(0), 30_000, 400_000))).toEqual([
			'every change is read',
		]);
	});
});

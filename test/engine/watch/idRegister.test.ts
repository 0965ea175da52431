// Protects the saved state of a watcher: each ID is kept once, with its subject, however often it was saved or entered.
import { readSnapshot } from '../../../nodes/engine/watch';
import type { SavedId, IdSnapshot } from '../../../nodes/engine/watch';
import { IdRegister } from '../../../nodes/engine/watch/idRegister';
import { Starts } from '../../../nodes/engine/watch/starts';

describe('the register of IDs', () => {
	const limits = { maxWatched: 10, maxKnownEnded: 1 };
	const createStarts = () =>
		new Starts<SavedId>(
			{
				save: () => undefined,
				reportRejection: () => undefined,
				sleep: async () => undefined,
				clock: { now: () => 5000, monotonic: () => 0 },
			},
			{ repeatStartsForMs: 1000 },
		);
	const createRegister = (saved?: Partial<IdSnapshot>, ...enteredIds: string[]) =>
		new IdRegister(
			limits,
			createStarts(),
			readSnapshot({ version: 1, ids: [], confirmedIds: [], ...saved }),
			enteredIds,
			5000,
		);
	const entry: SavedId = { id: 'a', addedAt: 1, polls: 0, submitted: true };
	const end = { outcome: 'approved', endedAt: 4000 };

	const enterTwice = (...subjects: Array<string | undefined>) => {
		const register = createRegister();
		const items = subjects.map((subject) => ({ id: 'a', subject }));
		return [register.add(items, false, 1).result, register.get('a')?.subject];
	};

	test('keeps the subject of an ID that is entered with and without it', () => {
		const accepted = [expect.objectContaining({ ok: true, watched: 1 }), 's'];
		expect(enterTwice('s', undefined)).toEqual(accepted);
		expect(enterTwice(undefined, 's')).toEqual(accepted);
		expect(enterTwice('s', 's')).toEqual(accepted);
	});

	test('rejects an ID that is entered with two different subjects', () => {
		const message = 'a is entered twice, with different subjects. Enter it once.';
		expect(enterTwice('s', 't')).toEqual([{ ok: false, reason: 'badId', message }, undefined]);
	});

	test('ignores white space around an entered ID, and drops a saved one that is no longer entered', () => {
		const saved = { ids: [{ ...entry, submitted: undefined, data: 7 }], confirmedIds: [] };
		expect(createRegister(saved, ' a ').get('a')).toMatchObject({ data: 7 });
		expect(createRegister(saved, 'b').get('a')).toBeUndefined();
	});

	test.each<[string, SavedId[], string[]]>([
		['twice among the watched', [entry, { ...entry, data: 'second' }], []],
		['watched and ended', [entry, { ...entry, end }], []],
		['ended and watched', [{ ...entry, end }, entry], []],
		['watched and confirmed', [entry], ['a']],
		['given up and watched', [{ ...entry, end: { ...end, reportedAs: 'submitted' } }, entry], []],
	])('keeps an ID once, even if it was saved %s', (_, saved, confirmedIds) => {
		const snapshot = createRegister({ ids: saved, confirmedIds }).snapshot();
		expect(snapshot.ids.length + snapshot.confirmedIds.length).toBe(1);
		const [savedId] = snapshot.ids;
		if (savedId) expect(savedId.end?.outcome).toBe(saved[0]!.end?.outcome);
		expect(savedId?.data).toBeUndefined();
	});

	test('keeps a finished ID once, even if it was saved twice', () => {
		const register = createRegister({ confirmedIds: ['typed', 'typed', 'old', 'new'] }, 'typed');
		expect(register.snapshot().confirmedIds).toEqual(['typed', 'new']);
	});

	test('ignores calls for IDs that it does not know', () => {
		const register = createRegister({ ids: [entry], confirmedIds: ['b'] });
		const before = JSON.stringify(register.snapshot());
		for (const id of ['b', 'c']) {
			register.end(id, end);
			expect(register.confirmStart(id)).toBe(false);
		}
		expect(register.confirmStart('a')).toBe(false);
		expect(JSON.stringify(register.snapshot())).toBe(before);
	});

	test('returns expired starts once', () => {
		const register = createRegister({ ids: [{ ...entry, end: { ...end, requestedAt: 4000 } }] });
		expect(register.takeReports(5000)).toMatchObject([
			{ kind: 'startsUnclear', ended: [{ id: 'a', outcome: 'approved' }] },
		]);
		expect(register.takeReports(5000)).toEqual([]);
	});

	test('writes the version of its format', () => {
		expect(createRegister().snapshot()).toEqual({ version: 1, ids: [], confirmedIds: [] });
	});
});

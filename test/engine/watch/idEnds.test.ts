import type { IdSnapshot, PollResult } from '../../../nodes/engine/watch';
import { Bench, finished, ids, pending } from './idHarness';

const MINUTE = 60_000;
const missing: PollResult = { kind: 'missing' };
const parsed = (saved: string) => JSON.parse(saved) as IdSnapshot;

describe('an ID', () => {
	test('ends with the outcome of the service, which is saved before it is emitted once, and is not polled again', async () => {
		const bench = new Bench({
			typed: [{ id: ' a ', subject: 'alice' }, { id: 'b' }],
		}).start();
		bench.watcher.add([{ id: 'c', data: { order: 7 }, subject: 'carol' }]);
		bench.respond = ({ id, polls }) =>
			id !== 'b' && polls === 3 ? finished('completed', { claims: id }) : pending;
		await bench.time.pass(MINUTE);
		expect(bench.outcomes().sort()).toEqual([
			['a', 'completed'],
			['c', 'completed'],
		]);
		expect(bench.timesOf('a')).toHaveLength(3);
		expect(bench.timesOf('c')).toHaveLength(3);
		const { ended, savedAs, at } = bench.emitted.find((emit) => emit.ended.id === 'c')!;
		const firstSeen = bench.time.ahead;
		expect(ended).toEqual({
			id: 'c',
			outcome: 'completed',
			result: { claims: 'c' },
			data: { order: 7 },
			subject: 'carol',
			seenOutstanding: true,
			firstSeen,
			finishedAt: firstSeen + at,
			polls: 3,
			trouble: undefined,
		});
		const saved = parsed(savedAs).ids.find((entry) => entry.id === 'c')!;
		expect(saved.end).toEqual({
			outcome: 'completed',
			result: { claims: 'c' },
			endedAt: firstSeen + at,
			requestedAt: firstSeen + at,
		});
		expect(bench.emitted.find((emit) => emit.ended.id === 'a')!.ended.subject).toBe('alice');
	});

	test('is passed to the poll function with its poll count, submitted data and whether it was seen', async () => {
		const bench = new Bench().start();
		bench.watcher.add([{ id: 'x', data: [1], subject: 's' }]);
		bench.respond = ({ polls }) => (polls === 1 ? missing : pending);
		await bench.time.pass(7000);
		expect(bench.polls.map(({ watched }) => watched)).toEqual([
			{ id: 'x', data: [1], subject: 's', polls: 1, seenOutstanding: false },
			{ id: 'x', data: [1], subject: 's', polls: 2, seenOutstanding: false },
			{ id: 'x', data: [1], subject: 's', polls: 3, seenOutstanding: true },
			{ id: 'x', data: [1], subject: 's', polls: 4, seenOutstanding: true },
		]);
	});

	test('ends as gone after three missing responses in a row, which records whether it was seen before', async () => {
		const bench = new Bench({ typed: [{ id: 'never' }, { id: 'lost' }, { id: 'blinks' }] }).start();
		const script: Record<string, PollResult[]> = {
			never: [missing, missing, missing],
			lost: [pending, missing, missing, missing],
			blinks: [
				missing,
				missing,
				pending,
				missing,
				{ kind: 'unavailable', message: '500' },
				missing,
				pending,
			],
		};
		bench.respond = ({ id }) => script[id]!.shift() ?? pending;
		await bench.time.pass(MINUTE);
		expect(
			bench.emitted.map(({ ended }) => [ended.id, ended.outcome, ended.seenOutstanding]),
		).toEqual([
			['never', 'gone', false],
			['lost', 'gone', true],
		]);
		expect(bench.timesOf('never')).toHaveLength(3);
		expect(bench.timesOf('blinks').length).toBeGreaterThan(10);
	});

	test('still ends as gone if a fault occurs between missing responses', async () => {
		const bench = new Bench({ typed: [{ id: 'x' }] }).start();
		const script: PollResult[] = [missing, missing, { kind: 'rateLimited' }, missing];
		bench.respond = () => script.shift() ?? pending;
		await bench.time.pass(MINUTE);
		expect(bench.outcomes()).toEqual([['x', 'gone']]);
	});

	test('ends as still outstanding at its own deadline, with its last known state', async () => {
		const bench = new Bench({ maxWaitMs: 90_000 }).start();
		bench.respond = ({ polls }) => ({ kind: 'pending', note: { polls } });
		bench.watcher.add([{ id: 'first' }]);
		await bench.time.pass(30_000);
		bench.watcher.add([{ id: 'second' }]);
		await bench.time.pass(5 * MINUTE);
		expect(bench.emitted.map(({ at, ended }) => [ended.id, ended.outcome, at])).toEqual([
			['first', 'stillOutstanding', 90_000],
			['second', 'stillOutstanding', 120_000],
		]);
		expect(bench.emitted[0]!.ended.result).toEqual({ polls: bench.timesOf('first').length });
		expect(Math.max(...bench.timesOf('first'))).toBeLessThan(90_000);
	});

	test.each([
		[10, { seen: true }],
		[20, undefined],
	])(
		'ends with its last known state if that is at most 15 minutes old: %d min',
		async (minutes, result) => {
			const bench = new Bench({ typed: ids(1), maxWaitMs: 60 * MINUTE }).start();
			bench.respond = () =>
				bench.time.at < (60 - minutes) * MINUTE
					? { kind: 'pending', note: { seen: true } }
					: { kind: 'unavailable', message: '502' };
			await bench.time.pass(70 * MINUTE);
			expect(bench.emitted.map(({ ended }) => [ended.outcome, ended.result])).toEqual([
				['stillOutstanding', result],
			]);
		},
	);

	test('ends at its deadline even if the service is unavailable, and reports the problem', async () => {
		const bench = new Bench({ typed: ids(3), maxWaitMs: 5 * MINUTE }).start();
		bench.respond = () => ({ kind: 'unavailable', message: '502 Bad Gateway' });
		await bench.time.pass(10 * MINUTE);
		expect(bench.emitted.map(({ at, ended }) => [ended.outcome, ended.trouble, at])).toEqual(
			ids(3).map(() => ['stillOutstanding', '502 Bad Gateway', 5 * MINUTE]),
		);
		const asked = bench.polls.length;
		await bench.time.pass(10 * MINUTE);
		expect(bench.polls).toHaveLength(asked);
	});

	test('ends once, even if a response arrives after the deadline', async () => {
		const bench = new Bench({ typed: ids(1), maxWaitMs: 10_000, latency: 7000 }).start();
		bench.respond = (_, at) => (at > 10_000 ? finished('completed') : pending);
		await bench.time.pass(MINUTE);
		expect(bench.outcomes()).toEqual([['id0', 'stillOutstanding']]);
		expect(bench.polls).toHaveLength(2);
	});

	test('starts in small groups after one save if thousands end at the same time', async () => {
		const bench = new Bench({ typed: ids(2000), maxWaitMs: 5000 }).start();
		await bench.time.pass(5001);
		expect(bench.emitted.length).toBeLessThanOrEqual(20);
		expect(parsed(bench.emitted[0]!.savedAs).ids.filter(({ end }) => end)).toHaveLength(2000);
		await bench.time.pass(10_100);
		expect(new Set(bench.outcomes().map(([id]) => id)).size).toBe(2000);
		expect(bench.emitted).toHaveLength(2000);
	});
});

describe('a start', () => {
	test('that is rejected is repeated with growing delays until it succeeds', async () => {
		const bench = new Bench({ typed: ids(1) }).start();
		bench.respond = () => finished('approved', { by: 'phone' });
		let left = 5;
		bench.emit = async () => {
			if (left-- > 0) throw new Error('database is locked');
		};
		await bench.time.pass(10 * MINUTE);
		const times = bench.emitted.map(({ at }) => at);
		expect(times).toHaveLength(6);
		const waits = times.slice(1).map((at, index) => at - times[index]!);
		for (const [index, wait] of waits.entries()) {
			expect(wait).toBeGreaterThanOrEqual(1000 * 2 ** index);
			expect(wait).toBeLessThanOrEqual(1100 * 2 ** index + 1);
		}
		expect(bench.emitted.at(-1)!.ended.result).toEqual({ by: 'phone' });
		expect(bench.polls).toHaveLength(1);
		expect(JSON.parse(bench.saves.at(-1)!)).toMatchObject({
			ids: [],
			ended: ['id0'],
		});
	});

	test("that n8n rejects repeatedly is reported once, with n8n's message", async () => {
		const bench = new Bench({ typed: ids(3) }).start();
		bench.respond = () => finished('approved');
		bench.emit = async () => await Promise.reject(new Error('a hook forbids it'));
		await bench.time.pass(15_000);
		expect(bench.reports).toEqual([]);
		await bench.time.pass(60 * MINUTE);
		expect(bench.reports).toEqual([{ kind: 'startsRejected', message: 'a hook forbids it' }]);
		bench.emit = async () => await Promise.resolve();
		await bench.time.pass(2 * MINUTE);
		expect(JSON.parse(JSON.stringify(bench.watcher.snapshot()))).toMatchObject({ ids: [] });
	});

	test('that throws synchronously is repeated, too', async () => {
		const bench = new Bench({ typed: ids(1) }).start();
		bench.respond = () => finished('approved');
		let left = 1;
		bench.emit = () => {
			if (left-- > 0) throw new Error('not active yet');
			return Promise.resolve();
		};
		await bench.time.pass(MINUTE);
		expect(bench.emitted).toHaveLength(2);
	});

	test('that takes long keeps its result saved until it is confirmed, and delays no other ID', async () => {
		const bench = new Bench({ typed: ids(2) }).start();
		bench.respond = () => finished('approved', 'R');
		bench.emit = ({ id }) => (id === 'id0' ? bench.time.sleep(5 * MINUTE) : Promise.resolve());
		await bench.time.pass(MINUTE);
		const saved = () => JSON.parse(JSON.stringify(bench.watcher.snapshot())) as unknown;
		expect(saved()).toMatchObject({
			ids: [{ id: 'id0', end: { outcome: 'approved', result: 'R' } }],
			ended: ['id1'],
		});
		await bench.time.pass(5 * MINUTE);
		expect(saved()).toMatchObject({
			ids: [],
			ended: ['id1', 'id0'],
		});
		expect(bench.emitted).toHaveLength(2);
	});
});

describe('the watcher stops', () => {
	test('when the credential is rejected: it sends no more requests and keeps the IDs', async () => {
		const bench = new Bench({ typed: ids(5) }).start();
		await bench.time.pass(10_000);
		bench.respond = () => ({ kind: 'credentialRejected', message: '401 invalid API key' });
		await bench.time.pass(10_000);
		expect(bench.stopped).toEqual({ rejection: '401 invalid API key' });
		const asked = bench.polls.length;
		await bench.time.pass(MINUTE);
		expect(bench.polls).toHaveLength(asked);
		expect(bench.watcher.snapshot().ids).toHaveLength(5);
		expect(bench.emitted).toEqual([]);
	});

	test('at once when it is closed: nothing more is polled, emitted, saved or added', async () => {
		const bench = new Bench({ typed: ids(20), latency: 3000 }).start();
		await bench.time.pass(10_000);
		bench.respond = () => finished('completed');
		bench.stop();
		await bench.time.pass(0);
		expect(bench.stopped).toEqual({ rejection: undefined });
		bench.stop();
		const before = [bench.polls.length, bench.saves.length];
		await bench.time.pass(MINUTE);
		expect([bench.polls.length, bench.saves.length]).toEqual(before);
		expect(bench.emitted).toEqual([]);
		expect(bench.watcher.add([{ id: 'late' }])).toEqual({
			ok: false,
			reason: 'stopped',
			message: 'This trigger no longer watches IDs.',
		});
		expect(bench.saves.length).toBe(before[1]);
	});

	test('even if IDs are due at the same moment', async () => {
		const told = new Bench().start();
		await told.time.pass(1000);
		told.watcher.add(ids(3));
		told.stop();
		await told.time.pass(MINUTE);
		expect(told.polls).toEqual([]);

		const refused = new Bench({ typed: ids(10), latency: 5000, maxInFlight: 1 }).start();
		refused.respond = () => ({ kind: 'credentialRejected', message: '403' });
		await refused.time.pass(MINUTE);
		expect(refused.polls).toHaveLength(1);
	});

	test('and a start confirmed after that does not change the saved state', async () => {
		const bench = new Bench({ typed: ids(1) }).start();
		bench.respond = () => finished('completed');
		bench.emit = () => bench.time.sleep(5000);
		await bench.time.pass(1000);
		bench.stop();
		const before = bench.saves.length;
		await bench.time.pass(MINUTE);
		expect(bench.emitted).toHaveLength(1);
		expect(bench.saves).toHaveLength(before);
	});

	test('when saving fails, and reports that failure', async () => {
		const bench = new Bench({ typed: ids(1) });
		const failure = new Error('static data is gone');
		bench.saves.push = () => {
			throw failure;
		};
		bench.start();
		await bench.time.pass(10_000);
		expect(bench.failure).toBe(failure);
		expect(bench.polls).toEqual([]);
	});
});

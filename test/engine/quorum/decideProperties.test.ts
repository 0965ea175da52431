import fc from 'fast-check';

import { decide } from '../../../nodes/engine/quorum/decide';
import type { Level, PersonRequest, Policy, Progress } from '../../../nodes/engine/quorum/types';
import { runs } from '../../support/runs';
import { decideByTable } from './decideByTable';
import { HOUR, MINUTE, START } from './policies';

const NUM_RUNS = runs(500);
const duration = fc.integer({ min: 1, max: 3 * HOUR });
const READ = ['pending', 'approved', 'denied', 'expired', 'gone', 'failed', 'unclear'] as const;
const ANY = [...READ, 'unread', 'rejected'] as const;

/** Policies of up to three levels; IDs are numbered through, so no person is in it twice. */
const policies: fc.Arbitrary<Policy> = fc
	.record({
		sizes: fc.array(
			fc.record({
				people: fc.integer({ min: 1, max: 4 }),
				needed: fc.integer({ min: 1, max: 4 }),
				deputies: fc.integer({ min: 0, max: 2 }),
				deputiesAfterMs: duration,
			}),
			{ minLength: 1, maxLength: 3 },
		),
		oneDenialEnds: fc.boolean(),
		expiresAfterMs: duration,
		limitAt: fc.option(
			duration.map((ms) => START + ms),
			{ nil: undefined },
		),
		remindAfterMs: fc.option(duration, { nil: undefined }),
	})
	.map(({ sizes, ...rest }) => {
		let id = 100;
		const ids = (count: number) => Array.from({ length: count }, () => `${id++}`);
		const levels = sizes.map(({ people, needed, deputies, deputiesAfterMs }, index): Level => ({
			name: `Level ${index + 1}`,
			people: ids(people),
			needed: Math.min(needed, people),
			deputies: ids(deputies),
			...(deputies > 0 && { deputiesAfterMs }),
		}));
		return { levels, ...rest };
	});

interface Case {
	policy: Policy;
	progress: Progress;
	now: number;
}

/** Any progress of any policy: any requests to anyone in it, at any level. */
const casesOf = (statuses: readonly PersonRequest['status'][]): fc.Arbitrary<Case> =>
	policies.chain((policy) => {
		const everyone = policy.levels.flatMap(({ people, deputies }, level) =>
			[...people, ...deputies].map((person) => ({ level, person })),
		);
		const requests = fc.uniqueArray(
			fc.record({
				of: fc.constantFrom(...everyone),
				reminder: fc.boolean(),
				status: fc.constantFrom(...statuses),
				expiresAt: fc.integer({ min: START, max: START + 3 * HOUR }),
				respondedAt: fc.option(fc.integer({ min: START, max: START + 5 }), { nil: undefined }),
			}),
			{ maxLength: 12, selector: ({ of, reminder }) => `${of.person} ${reminder}` },
		);
		return fc.record({
			policy: fc.constant(policy),
			progress: fc.record({
				level: fc.integer({ min: 0, max: policy.levels.length - 1 }),
				levelStartedAt: fc.integer({ min: START - HOUR, max: START + HOUR }),
				requests: requests.map((all) => all.map(({ of, ...rest }) => ({ ...of, ...rest }))),
			}),
			now: fc.integer({ min: START - HOUR, max: START + 4 * HOUR }),
		});
	});

const anyCase = casesOf(ANY);
const readCase = casesOf(READ);

const decideCase = ({ policy, progress, now }: Case) => decide(policy, progress, now);

/** Whether a result lets the item go ahead: the whole is approved, or its current level. */
const advances = (result: ReturnType<typeof decide>, { progress }: Case): boolean =>
	(result.kind === 'end' && result.outcome === 'approved') ||
	(result.kind === 'ask' && result.level > progress.level);

const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void =>
	fc.assert(fc.property(arbitrary, property), { numRuns: NUM_RUNS });

test('a denial added to a snapshot never turns the result into approved', () => {
	const withDenial = readCase.chain((one) =>
		fc.record({ one: fc.constant(one), index: fc.nat(20), reminder: fc.boolean() }),
	);
	check(withDenial, ({ one, index, reminder }) => {
		const { policy, progress } = one;
		const { people, deputies } = policy.levels[progress.level]!;
		const all = [...people, ...deputies];
		const person = all[index % all.length]!;
		const { level } = progress;
		const others = progress.requests.filter(
			(request) => request.person !== person || request.reminder !== reminder,
		);
		const denial = { level, person, reminder, status: 'denied' as const, expiresAt: START };
		const denied = { ...one, progress: { ...progress, requests: [...others, denial] } };
		if (!advances(decideCase(one), one)) expect(advances(decideCase(denied), denied)).toBe(false);
		if (policy.oneDenialEnds) expect(advances(decideCase(denied), denied)).toBe(false);
	});
});

test('the order of the requests does not matter', () => {
	const shuffled = anyCase.chain((one) => {
		const { requests } = one.progress;
		return fc.record({
			one: fc.constant(one),
			requests: fc.shuffledSubarray(requests, { minLength: requests.length }),
		});
	});
	check(shuffled, ({ one, requests }) => {
		const other = { ...one, progress: { ...one.progress, requests } };
		expect(decideCase(other)).toEqual(decideCase(one));
	});
});

test('an approval comes from as many different people of the level as are needed', () => {
	check(anyCase, (one) => {
		const { policy, progress } = one;
		const { people, deputies, needed } = policy.levels[progress.level]!;
		const statusesOf = (person: string) =>
			progress.requests.filter((request) => request.person === person).map(({ status }) => status);
		const approvers = [...people, ...deputies].filter(
			(person) => statusesOf(person).includes('approved') && !statusesOf(person).includes('denied'),
		);
		if (advances(decideCase(one), one)) expect(approvers.length).toBeGreaterThanOrEqual(needed);
	});
});

test('a second request with the same answer is no second vote', () => {
	check(readCase, (one) => {
		const { level } = one.progress;
		const here = one.progress.requests.filter((request) => request.level === level);
		const doubled = here.flatMap((request) => [
			request,
			{ ...request, reminder: !request.reminder },
		]);
		// A request that is open or was never sent may be followed by a reminder: without reminders there is no difference.
		const policy = { ...one.policy, remindAfterMs: undefined };
		const once = decide(policy, { ...one.progress, requests: here }, one.now);
		const twice = decide(policy, { ...one.progress, requests: doubled }, one.now);
		const withoutReminder = (result: object) => ({ ...result, by: undefined });
		expect(withoutReminder(twice)).toEqual(withoutReminder(once));
	});
});

test('answers to other levels change nothing', () => {
	check(anyCase, (one) => {
		const { level } = one.progress;
		const requests = one.progress.requests.filter((request) => request.level === level);
		const other = { ...one, progress: { ...one.progress, requests } };
		expect(decideCase(other)).toEqual(decideCase(one));
	});
});

test('a clock jump of an hour neither makes nor unmakes an approval of the last level, or a denial that is enough', () => {
	check(readCase, (one) => {
		const before = decideCase(one);
		for (const jump of [-HOUR, HOUR]) {
			const after = decideCase({ ...one, now: one.now + jump });
			const isDecided = (result: typeof before) =>
				result.kind === 'end' && 'by' in result && one.policy.oneDenialEnds;
			if (before.kind === 'end' && before.outcome === 'approved') expect(after).toEqual(before);
			if (after.kind === 'end' && after.outcome === 'approved') expect(before).toEqual(after);
			if (isDecided(before)) expect(after).toEqual(before);
		}
	});
});

test('times of answers change the answer that decided, and nothing else', () => {
	check(anyCase, (one) => {
		const requests = one.progress.requests.map((request) => ({ ...request, respondedAt: START }));
		const result = decideCase({ ...one, progress: { ...one.progress, requests } });
		expect({ ...result, by: undefined }).toEqual({ ...decideCase(one), by: undefined });
	});
});

test('no request is asked for twice, and only people of the level are asked', () => {
	check(anyCase, (one) => {
		const { policy, progress } = one;
		const result = decideCase(one);
		if (result.kind !== 'ask') return;
		const { people, deputies } = policy.levels[result.level]!;
		expect(result.asks.length).toBeGreaterThan(0);
		const keys = result.asks.map(({ person, reminder }) => `${person} ${reminder}`);
		expect(new Set(keys).size).toBe(keys.length);
		for (const { person, reminder } of result.asks) {
			expect(reminder ? people : [...people, ...deputies]).toContain(person);
			if (result.level > progress.level) continue;
			const known = progress.requests.some(
				(request) => request.person === person && request.reminder === reminder,
			);
			expect(known).toBe(false);
		}
	});
});

test('before the time of a wait comes, only a change of a status matters', () => {
	check(anyCase, (one) => {
		const result = decideCase(one);
		if (result.kind !== 'wait') return;
		const { until } = result;
		expect(until).toBeGreaterThan(one.now);
		expect(decideCase({ ...one, now: until - 1 })).toEqual(result);
		expect(decideCase({ ...one, now: until })).not.toEqual(result);
	});
});

test('nothing is decided while a request of the level is unread, except by a denial that is enough', () => {
	check(casesOf(['unread', ...READ]), (one) => {
		const { level, requests } = one.progress;
		const isUnread = requests.some(
			(request) => request.level === level && request.status === 'unread',
		);
		if (!isUnread) return;
		const result = decideCase(one);
		const ends = result.kind === 'end' ? result.outcome : result.kind;
		const here = requests.filter((request) => request.level === level);
		if (one.policy.oneDenialEnds && here.some(({ status }) => status === 'denied'))
			expect(ends).toBe('denied');
		else expect(['wait', 'fail', 'stillOutstanding']).toContain(ends);
		if (ends !== 'stillOutstanding') return;
		const isOver = one.now >= (one.policy.limitAt ?? Infinity);
		const isExpired = here.every(
			({ status, expiresAt }) => !['unread', 'pending'].includes(status) || one.now >= expiresAt,
		);
		expect(isOver || isExpired).toBe(true);
	});
});

test.each(['pending', 'unread', 'rejected'] as const)(
	'a wait ends at the times that it names, although every request stays %s',
	(status) => {
		check(policies, (policy) => {
			const progress: Progress = { level: 0, levelStartedAt: START, requests: [] };
			let now = START;
			for (let left = 100; ; left--) {
				expect(left).toBeGreaterThan(0);
				const result = decide(policy, progress, now);
				if (result.kind === 'end' || result.kind === 'fail') break;
				if (result.kind === 'wait') {
					now = result.until;
					continue;
				}
				const expiresAt = now + policy.expiresAfterMs;
				for (const ask of result.asks)
					progress.requests.push({ ...ask, level: result.level, status, expiresAt });
			}
		});
	},
);

/** Carries a policy out: every request that is asked for gets an answer or expires, in steps of a minute. */
test('every policy comes to an end, without a request that was sent twice', () => {
	const lives = fc.record({
		policy: policies,
		answers: fc.array(fc.constantFrom(...READ), { minLength: 30, maxLength: 30 }),
	});
	check(lives, ({ policy, answers }) => {
		const progress: Progress = { level: 0, levelStartedAt: START, requests: [] };
		let now = START;
		let left = 2000;
		for (;;) {
			if (left-- === 0) throw new Error('It does not end');
			const result = decide(policy, progress, now);
			if (result.kind === 'end' || result.kind === 'fail') break;
			if (result.kind === 'ask') {
				if (result.level > progress.level)
					Object.assign(progress, { level: result.level, levelStartedAt: now });
				const expiresAt = Math.min(now + policy.expiresAfterMs, policy.limitAt ?? Infinity);
				for (const ask of result.asks)
					progress.requests.push({ ...ask, level: result.level, status: 'pending', expiresAt });
				continue;
			}
			now += MINUTE;
			for (const request of progress.requests.filter(({ status }) => status === 'pending')) {
				const { expiresAt } = request;
				request.status =
					now >= expiresAt ? 'expired' : (answers[left % answers.length] ?? 'pending');
			}
		}
		const keys = progress.requests.map(
			({ level, person, reminder }) => `${level} ${person} ${reminder}`,
		);
		expect(new Set(keys).size).toBe(keys.length);
	});
});

test('a second implementation of the table decides the same', () => {
	check(anyCase, (one) => {
		expect(decideCase(one)).toEqual(decideByTable(one.policy, one.progress, one.now));
	});
});

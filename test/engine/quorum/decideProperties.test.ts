import fc from 'fast-check';

import { decide } from '../../../nodes/engine/quorum/decide';
import { anyCase, check, decideCase, readCase } from './anyPolicy';
import type { Case } from './anyPolicy';
import { decideByTable } from './decideByTable';
import { HOUR, START } from './policies';

/** Whether a result lets the item go ahead: the whole is approved, or its current level. */
const advances = (result: ReturnType<typeof decide>, { progress }: Case): boolean =>
	(result.kind === 'end' && result.outcome === 'approved') ||
	(result.kind === 'ask' && result.level > progress.level);

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

test('a second implementation of the table decides the same', () => {
	check(anyCase, (one) => {
		expect(decideCase(one)).toEqual(decideByTable(one.policy, one.progress, one.now));
	});
});

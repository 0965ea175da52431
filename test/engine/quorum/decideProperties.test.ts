import fc from 'fast-check';

import { decide } from '../../../nodes/engine/quorum/decide';
import { anyCase, check, decideCase, readCase } from './anyPolicy';
import type { Case } from './anyPolicy';
import { decideByTable } from './decideByTable';
import { HOUR, START } from './policies';

/** Whether a result approves the item or its current level. */
const advances = (result: ReturnType<typeof decide>, { progress }: Case): boolean =>
	(result.kind === 'end' && result.outcome === 'approved') ||
	(result.kind === 'ask' && result.level > progress.level);

test('a denial added to a snapshot never turns the result into approved', () => {
	const withDenial = readCase.chain((testCase) =>
		fc.record({ testCase: fc.constant(testCase), index: fc.nat(20), reminder: fc.boolean() }),
	);
	check(withDenial, ({ testCase, index, reminder }) => {
		const { policy, progress } = testCase;
		const { people, deputies } = policy.levels[progress.level]!;
		const candidates = [...people, ...deputies];
		const person = candidates[index % candidates.length]!;
		const { level } = progress;
		const others = progress.requests.filter(
			(request) => request.person !== person || request.reminder !== reminder,
		);
		const denial = { level, person, reminder, status: 'denied' as const, expiresAt: START };
		const denied = { ...testCase, progress: { ...progress, requests: [...others, denial] } };
		if (!advances(decideCase(testCase), testCase))
			expect(advances(decideCase(denied), denied)).toBe(false);
		if (policy.oneDenialEnds) expect(advances(decideCase(denied), denied)).toBe(false);
	});
});

test('the order of the requests does not matter', () => {
	const shuffled = anyCase.chain((testCase) => {
		const { requests } = testCase.progress;
		return fc.record({
			testCase: fc.constant(testCase),
			requests: fc.shuffledSubarray(requests, { minLength: requests.length }),
		});
	});
	check(shuffled, ({ testCase, requests }) => {
		const other = { ...testCase, progress: { ...testCase.progress, requests } };
		expect(decideCase(other)).toEqual(decideCase(testCase));
	});
});

test('an approval requires the needed number of different people of the level', () => {
	check(anyCase, (testCase) => {
		const { policy, progress } = testCase;
		const { people, deputies, needed } = policy.levels[progress.level]!;
		const statusesOf = (person: string) =>
			progress.requests.filter((request) => request.person === person).map(({ status }) => status);
		const approvers = [...people, ...deputies].filter(
			(person) => statusesOf(person).includes('approved') && !statusesOf(person).includes('denied'),
		);
		if (advances(decideCase(testCase), testCase))
			expect(approvers.length).toBeGreaterThanOrEqual(needed);
	});
});

test('a second request with the same answer does not add a vote', () => {
	check(readCase, (testCase) => {
		const { level } = testCase.progress;
		const levelRequests = testCase.progress.requests.filter((request) => request.level === level);
		const doubled = levelRequests.flatMap((request) => [
			request,
			{ ...request, reminder: !request.reminder },
		]);
		// A request that is open or was never sent may be followed by a reminder: without reminders there is no difference.
		const policy = { ...testCase.policy, remindAfterMs: undefined };
		const single = decide(policy, { ...testCase.progress, requests: levelRequests }, testCase.now);
		const repeated = decide(policy, { ...testCase.progress, requests: doubled }, testCase.now);
		const withoutReminder = (result: object) => ({ ...result, by: undefined });
		expect(withoutReminder(repeated)).toEqual(withoutReminder(single));
	});
});

test('answers to other levels change nothing', () => {
	check(anyCase, (testCase) => {
		const { level } = testCase.progress;
		const requests = testCase.progress.requests.filter((request) => request.level === level);
		const other = { ...testCase, progress: { ...testCase.progress, requests } };
		expect(decideCase(other)).toEqual(decideCase(testCase));
	});
});

test('a clock jump of an hour does not change an approval of the last level or a sufficient denial', () => {
	check(readCase, (testCase) => {
		const before = decideCase(testCase);
		for (const jump of [-HOUR, HOUR]) {
			const after = decideCase({ ...testCase, now: testCase.now + jump });
			const isDecided = (result: typeof before) =>
				result.kind === 'end' && 'by' in result && testCase.policy.oneDenialEnds;
			if (before.kind === 'end' && before.outcome === 'approved') expect(after).toEqual(before);
			if (after.kind === 'end' && after.outcome === 'approved') expect(before).toEqual(after);
			if (isDecided(before)) expect(after).toEqual(before);
		}
	});
});

test('the times of answers affect only which answer is the deciding one', () => {
	check(anyCase, (testCase) => {
		const requests = testCase.progress.requests.map((request) => ({
			...request,
			respondedAt: START,
		}));
		const result = decideCase({ ...testCase, progress: { ...testCase.progress, requests } });
		expect({ ...result, by: undefined }).toEqual({ ...decideCase(testCase), by: undefined });
	});
});

test('decide agrees with a second implementation of the decision table', () => {
	check(anyCase, (testCase) => {
		expect(decideCase(testCase)).toEqual(
			decideByTable(testCase.policy, testCase.progress, testCase.now),
		);
	});
});

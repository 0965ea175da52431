// Protects decisions by several people under any policy: no denial leads to an approval, and no person votes twice.
import fc from 'fast-check';

import { decide } from '../../../nodes/engine/quorum/decide';
import { anyCase, checkProperty, decideCase, fullyReadCase } from './anyPolicy';
import type { QuorumCase } from './anyPolicy';
import { decideByTable } from './decideByTable';
import { HOUR, START } from './policies';

/** Whether a result approves the item or its current level. */
const isApproval = (result: ReturnType<typeof decide>, { progress }: QuorumCase): boolean =>
	(result.kind === 'end' && result.outcome === 'approved') ||
	(result.kind === 'ask' && result.level > progress.level);

const withoutDecidingRequest = (result: object) => ({ ...result, by: undefined });

test('a denial that is added never turns the result into an approval', () => {
	const anyCaseAndDenial = fullyReadCase.chain((testCase) =>
		fc.record({ testCase: fc.constant(testCase), index: fc.nat(20), reminder: fc.boolean() }),
	);
	checkProperty(anyCaseAndDenial, ({ testCase, index, reminder }) => {
		const { policy, progress } = testCase;
		const { people, deputies } = policy.levels[progress.level]!;
		const candidates = [...people, ...deputies];
		const person = candidates[index % candidates.length]!;
		const { level } = progress;
		const otherRequests = progress.requests.filter(
			(request) => request.person !== person || request.reminder !== reminder,
		);
		const denial = { level, person, reminder, status: 'denied' as const, expiresAt: START };
		const deniedCase = {
			...testCase,
			progress: { ...progress, requests: [...otherRequests, denial] },
		};
		if (!isApproval(decideCase(testCase), testCase))
			expect(isApproval(decideCase(deniedCase), deniedCase)).toBe(false);
		if (policy.oneDenialEnds) expect(isApproval(decideCase(deniedCase), deniedCase)).toBe(false);
	});
});

test('the order of the requests does not change the decision', () => {
	const anyShuffledCase = anyCase.chain((testCase) => {
		const { requests } = testCase.progress;
		return fc.record({
			testCase: fc.constant(testCase),
			requests: fc.shuffledSubarray(requests, { minLength: requests.length }),
		});
	});
	checkProperty(anyShuffledCase, ({ testCase, requests }) => {
		const shuffledCase = { ...testCase, progress: { ...testCase.progress, requests } };
		expect(decideCase(shuffledCase)).toEqual(decideCase(testCase));
	});
});

test('an approval requires the needed number of different people of the level', () => {
	checkProperty(anyCase, (testCase) => {
		const { policy, progress } = testCase;
		const { people, deputies, needed } = policy.levels[progress.level]!;
		const findStatuses = (person: string) =>
			progress.requests.filter((request) => request.person === person).map(({ status }) => status);
		const approvers = [...people, ...deputies].filter(
			(person) =>
				findStatuses(person).includes('approved') && !findStatuses(person).includes('denied'),
		);
		if (isApproval(decideCase(testCase), testCase))
			expect(approvers.length).toBeGreaterThanOrEqual(needed);
	});
});

test('a second request to a person with the same answer does not add a vote', () => {
	checkProperty(fullyReadCase, (testCase) => {
		const { level } = testCase.progress;
		const levelRequests = testCase.progress.requests.filter((request) => request.level === level);
		const doubledRequests = levelRequests.flatMap((request) => [
			request,
			{ ...request, reminder: !request.reminder },
		]);
		// A request that is open or was never sent may be followed by a reminder: without reminders there is no difference.
		const policy = { ...testCase.policy, remindAfterMs: undefined };
		const singleResult = decide(
			policy,
			{ ...testCase.progress, requests: levelRequests },
			testCase.now,
		);
		const doubledResult = decide(
			policy,
			{ ...testCase.progress, requests: doubledRequests },
			testCase.now,
		);
		expect(withoutDecidingRequest(doubledResult)).toEqual(withoutDecidingRequest(singleResult));
	});
});

test('requests of other levels do not change the decision', () => {
	checkProperty(anyCase, (testCase) => {
		const { level } = testCase.progress;
		const requests = testCase.progress.requests.filter((request) => request.level === level);
		const levelCase = { ...testCase, progress: { ...testCase.progress, requests } };
		expect(decideCase(levelCase)).toEqual(decideCase(testCase));
	});
});

test('a clock jump of an hour changes neither an approval of the last level nor a denial that is enough alone', () => {
	checkProperty(fullyReadCase, (testCase) => {
		const resultBefore = decideCase(testCase);
		for (const jumpMs of [-HOUR, HOUR]) {
			const resultAfter = decideCase({ ...testCase, now: testCase.now + jumpMs });
			const isFinal = (result: typeof resultBefore) =>
				result.kind === 'end' && 'by' in result && testCase.policy.oneDenialEnds;
			if (resultBefore.kind === 'end' && resultBefore.outcome === 'approved')
				expect(resultAfter).toEqual(resultBefore);
			if (resultAfter.kind === 'end' && resultAfter.outcome === 'approved')
				expect(resultBefore).toEqual(resultAfter);
			if (isFinal(resultBefore)) expect(resultAfter).toEqual(resultBefore);
		}
	});
});

test('the times of answers change only which answer is the deciding one', () => {
	checkProperty(anyCase, (testCase) => {
		const requests = testCase.progress.requests.map((request) => ({
			...request,
			respondedAt: START,
		}));
		const result = decideCase({ ...testCase, progress: { ...testCase.progress, requests } });
		expect(withoutDecidingRequest(result)).toEqual(withoutDecidingRequest(decideCase(testCase)));
	});
});

test('decide returns the results of a second implementation of the decision table', () => {
	checkProperty(anyCase, (testCase) => {
		expect(decideCase(testCase)).toEqual(
			decideByTable(testCase.policy, testCase.progress, testCase.now),
		);
	});
});

import fc from 'fast-check';

import { decide } from '../../../nodes/engine/quorum/decide';
import type { QuorumProgress } from '../../../nodes/engine/quorum/types';
import { anyCase, casesOf, check, decideCase, policies, READ } from './anyPolicy';
import { MINUTE, START } from './policies';

test('decide requests nothing twice, and only people of the level get requests', () => {
	check(anyCase, (testCase) => {
		const { policy, progress } = testCase;
		const result = decideCase(testCase);
		if (result.kind !== 'ask') return;
		const { people, deputies } = policy.levels[result.level]!;
		expect(result.requests.length).toBeGreaterThan(0);
		const keys = result.requests.map(({ person, reminder }) => `${person} ${reminder}`);
		expect(new Set(keys).size).toBe(keys.length);
		for (const { person, reminder } of result.requests) {
			expect(reminder ? people : [...people, ...deputies]).toContain(person);
			if (result.level > progress.level) continue;
			const isKnown = progress.requests.some(
				(request) => request.person === person && request.reminder === reminder,
			);
			expect(isKnown).toBe(false);
		}
	});
});

test('until a wait ends, only a changed status changes the decision', () => {
	check(anyCase, (testCase) => {
		const result = decideCase(testCase);
		if (result.kind !== 'wait') return;
		const { until } = result;
		expect(until).toBeGreaterThan(testCase.now);
		expect(decideCase({ ...testCase, now: until - 1 })).toEqual(result);
		expect(decideCase({ ...testCase, now: until })).not.toEqual(result);
	});
});

test('an unread request of the level blocks every decision except a sufficient denial', () => {
	check(casesOf(['unread', ...READ]), (testCase) => {
		const { level, requests } = testCase.progress;
		const isUnread = requests.some(
			(request) => request.level === level && request.status === 'unread',
		);
		if (!isUnread) return;
		const result = decideCase(testCase);
		const ends = result.kind === 'end' ? result.outcome : result.kind;
		const levelRequests = requests.filter((request) => request.level === level);
		if (testCase.policy.oneDenialEnds && levelRequests.some(({ status }) => status === 'denied'))
			expect(ends).toBe('denied');
		else expect(['wait', 'fail', 'stillOutstanding']).toContain(ends);
		if (ends !== 'stillOutstanding') return;
		const isOver = testCase.now >= (testCase.policy.limitAt ?? Infinity);
		const isExpired = levelRequests.every(
			({ status, expiresAt }) =>
				!['unread', 'pending'].includes(status) || testCase.now >= expiresAt,
		);
		expect(isOver || isExpired).toBe(true);
	});
});

test.each(['pending', 'unread', 'credentialRejected'] as const)(
	'a wait ends at its wake times even if every request stays %s',
	(status) => {
		check(policies, (policy) => {
			const progress: QuorumProgress = { level: 0, levelStartedAt: START, requests: [] };
			let now = START;
			for (let stepsLeft = 100; ; stepsLeft--) {
				expect(stepsLeft).toBeGreaterThan(0);
				const result = decide(policy, progress, now);
				if (result.kind === 'end' || result.kind === 'fail') break;
				if (result.kind === 'wait') {
					now = result.until;
					continue;
				}
				const expiresAt = now + policy.expiresAfterMs;
				for (const planned of result.requests)
					progress.requests.push({ ...planned, level: result.level, status, expiresAt });
			}
		});
	},
);

/** Every request gets an answer or expires, in steps of a minute. */
test('every policy ends without sending a request twice', () => {
	const anyHistory = fc.record({
		policy: policies,
		answers: fc.array(fc.constantFrom(...READ), { minLength: 30, maxLength: 30 }),
	});
	check(anyHistory, ({ policy, answers }) => {
		const progress: QuorumProgress = { level: 0, levelStartedAt: START, requests: [] };
		let now = START;
		let stepsLeft = 2000;
		for (;;) {
			if (stepsLeft-- === 0) throw new Error('The policy does not end');
			const result = decide(policy, progress, now);
			if (result.kind === 'end' || result.kind === 'fail') break;
			if (result.kind === 'ask') {
				if (result.level > progress.level)
					Object.assign(progress, { level: result.level, levelStartedAt: now });
				const expiresAt = Math.min(now + policy.expiresAfterMs, policy.limitAt ?? Infinity);
				for (const planned of result.requests)
					progress.requests.push({ ...planned, level: result.level, status: 'pending', expiresAt });
				continue;
			}
			now += MINUTE;
			for (const request of progress.requests.filter(({ status }) => status === 'pending')) {
				const { expiresAt } = request;
				request.status =
					now >= expiresAt ? 'expired' : (answers[stepsLeft % answers.length] ?? 'pending');
			}
		}
		const keys = progress.requests.map(
			({ level, person, reminder }) => `${level} ${person} ${reminder}`,
		);
		expect(new Set(keys).size).toBe(keys.length);
	});
});

// Protects people who decide together: no request is sent twice, an unread one prevents an approval, and every wait ends.
import fc from 'fast-check';

import { decide } from '../../../nodes/engine/quorum/decide';
import type { QuorumProgress } from '../../../nodes/engine/quorum/types';
import {
	anyCase,
	anyPolicy,
	casesWith,
	checkProperty,
	decideCase,
	READ_STATUSES,
} from './anyPolicy';
import { MINUTE, START } from './policies';

test('only people of the level get requests, and none of them gets a request twice', () => {
	checkProperty(anyCase, (testCase) => {
		const { policy, progress } = testCase;
		const result = decideCase(testCase);
		if (result.kind !== 'ask') return;
		const { people, deputies } = policy.levels[result.level]!;
		expect(result.requests.length).toBeGreaterThan(0);
		const requestKeys = result.requests.map(({ person, reminder }) => `${person} ${reminder}`);
		expect(new Set(requestKeys).size).toBe(requestKeys.length);
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

test('the decision to wait stays equal until its time, and changes then', () => {
	checkProperty(anyCase, (testCase) => {
		const result = decideCase(testCase);
		if (result.kind !== 'wait') return;
		const { until } = result;
		expect(until).toBeGreaterThan(testCase.now);
		expect(decideCase({ ...testCase, now: until - 1 })).toEqual(result);
		expect(decideCase({ ...testCase, now: until })).not.toEqual(result);
	});
});

test('an unread request of the level prevents an approval and every denial that is not enough alone', () => {
	checkProperty(casesWith(['unread', ...READ_STATUSES]), (testCase) => {
		const { level, requests } = testCase.progress;
		const hasUnread = requests.some(
			(request) => request.level === level && request.status === 'unread',
		);
		if (!hasUnread) return;
		const result = decideCase(testCase);
		const outcome = result.kind === 'end' ? result.outcome : result.kind;
		const levelRequests = requests.filter((request) => request.level === level);
		if (testCase.policy.oneDenialEnds && levelRequests.some(({ status }) => status === 'denied'))
			expect(outcome).toBe('denied');
		else expect(['wait', 'fail', 'stillOutstanding']).toContain(outcome);
		if (outcome !== 'stillOutstanding') return;
		const isLimitOver = testCase.now >= (testCase.policy.limitAt ?? Infinity);
		const areAllExpired = levelRequests.every(
			({ status, expiresAt }) =>
				!['unread', 'pending'].includes(status) || testCase.now >= expiresAt,
		);
		expect(isLimitOver || areAllExpired).toBe(true);
	});
});

test.each(['pending', 'unread', 'credentialRejected'] as const)(
	'every policy ends within 100 steps if each request stays %s and each wait lasts until its time',
	(status) => {
		checkProperty(anyPolicy, (policy) => {
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

// Every request gets an answer or expires, in steps of a minute.
test('every policy ends without sending a request twice', () => {
	const anyHistory = fc.record({
		policy: anyPolicy,
		answers: fc.array(fc.constantFrom(...READ_STATUSES), { minLength: 30, maxLength: 30 }),
	});
	checkProperty(anyHistory, ({ policy, answers }) => {
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
		const requestKeys = progress.requests.map(
			({ level, person, reminder }) => `${level} ${person} ${reminder}`,
		);
		expect(new Set(requestKeys).size).toBe(requestKeys.length);
	});
});

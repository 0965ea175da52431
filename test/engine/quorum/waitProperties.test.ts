import fc from 'fast-check';

import { decide } from '../../../nodes/engine/quorum/decide';
import type { QuorumProgress } from '../../../nodes/engine/quorum/types';
import { anyCase, casesOf, check, decideCase, policies, READ } from './anyPolicy';
import { MINUTE, START } from './policies';

test('no request is asked for twice, and only people of the level are asked', () => {
	check(anyCase, (one) => {
		const { policy, progress } = one;
		const result = decideCase(one);
		if (result.kind !== 'ask') return;
		const { people, deputies } = policy.levels[result.level]!;
		expect(result.requests.length).toBeGreaterThan(0);
		const keys = result.requests.map(({ person, reminder }) => `${person} ${reminder}`);
		expect(new Set(keys).size).toBe(keys.length);
		for (const { person, reminder } of result.requests) {
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

test.each(['pending', 'unread', 'credentialRejected'] as const)(
	'a wait ends at the times that it names, although every request stays %s',
	(status) => {
		check(policies, (policy) => {
			const progress: QuorumProgress = { level: 0, levelStartedAt: START, requests: [] };
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
				for (const planned of result.requests)
					progress.requests.push({ ...planned, level: result.level, status, expiresAt });
			}
		});
	},
);

/** Carries a policy out: every request that is asked for gets an answer or expires, in steps of a minute. */
test('every policy comes to an end, without a request that was sent twice', () => {
	const anyHistory = fc.record({
		policy: policies,
		answers: fc.array(fc.constantFrom(...READ), { minLength: 30, maxLength: 30 }),
	});
	check(anyHistory, ({ policy, answers }) => {
		const progress: QuorumProgress = { level: 0, levelStartedAt: START, requests: [] };
		let now = START;
		let stepsLeft = 2000;
		for (;;) {
			if (stepsLeft-- === 0) throw new Error('It does not end');
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

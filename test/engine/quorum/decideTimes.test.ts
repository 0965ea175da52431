// Protects people who decide together: deputies and reminders are sent once and when due, and a late answer still counts.
import { decide } from '../../../nodes/engine/quorum/decide';
import type { ApprovalLevel, QuorumProgress } from '../../../nodes/engine/quorum/types';
import {
	progressWith,
	end,
	firstRequests,
	HOUR,
	MINUTE,
	buildPolicy,
	reminders,
	requestTo,
	SOON,
	START,
	twoOfThree,
	WAIT_FOR_ANSWERS,
	waitUntil,
} from './policies';

describe('deputies', () => {
	const level: ApprovalLevel = {
		...twoOfThree,
		deputies: ['7', '8'],
		deputiesAfterMs: 10 * MINUTE,
	};
	const policy = buildPolicy([level], { oneDenialEnds: false });
	const deputiesDueAt = START + 10 * MINUTE;
	const allPending = { 1: 'pending', 2: 'pending', 3: 'pending' } as const;

	test('deputies get requests when they are due, and not before', () => {
		expect(decide(policy, progressWith(allPending), deputiesDueAt - 1)).toEqual(
			waitUntil(deputiesDueAt),
		);
		expect(decide(policy, progressWith(allPending), deputiesDueAt)).toEqual({
			kind: 'ask',
			level: 0,
			requests: firstRequests('7', '8'),
		});
	});

	test('deputies get only one request each', () => {
		expect(
			decide(policy, progressWith({ ...allPending, 7: 'pending', 8: 'failed' }), deputiesDueAt),
		).toEqual(WAIT_FOR_ANSWERS);
		expect(
			decide(policy, progressWith({ ...allPending, 7: 'pending' }), deputiesDueAt),
		).toMatchObject({
			requests: firstRequests('8'),
		});
	});

	test('a level waits for its deputies even if no request is open', () => {
		const noneOpen = progressWith({ 1: 'expired', 2: 'gone', 3: 'expired' });
		expect(decide(policy, noneOpen, deputiesDueAt - 1)).toEqual(waitUntil(deputiesDueAt));
		expect(decide(policy, noneOpen, deputiesDueAt)).toMatchObject({
			requests: firstRequests('7', '8'),
		});
	});

	test('votes of deputies count toward the needed number, which stays unchanged', () => {
		const approvals = {
			1: 'expired',
			2: 'pending',
			3: 'expired',
			7: 'approved',
			8: 'approved',
		} as const;
		expect(decide(policy, progressWith(approvals), deputiesDueAt)).toMatchObject(end('approved'));
		const deputiesPending = {
			...allPending,
			1: 'denied',
			2: 'denied',
			7: 'pending',
			8: 'pending',
		} as const;
		expect(decide(policy, progressWith(deputiesPending), deputiesDueAt)).toEqual(WAIT_FOR_ANSWERS);
		expect(
			decide(policy, progressWith({ ...deputiesPending, 3: 'denied', 7: 'denied' }), deputiesDueAt),
		).toMatchObject(end('denied'));
	});

	test('two denials end the level even if deputies are still to get requests', () => {
		const denials = progressWith({ ...allPending, 1: 'denied', 2: 'denied' });
		expect(decide(policy, denials, START)).toMatchObject(end('denied'));
		expect(decide(policy, denials, deputiesDueAt)).toMatchObject(end('denied'));
	});

	test('one denial does not end the level while enough deputies can still approve', () => {
		const oneMissing = { 1: 'denied', 2: 'expired', 3: 'approved' } as const;
		expect(decide(policy, progressWith(oneMissing), START)).toEqual(waitUntil(deputiesDueAt));
		const twoMissing = { 1: 'denied', 2: 'expired', 3: 'gone' } as const;
		expect(decide(policy, progressWith(twoMissing), START)).toEqual(waitUntil(deputiesDueAt));
		const oneDeputy = buildPolicy([{ ...level, deputies: ['7'] }], { oneDenialEnds: false });
		expect(decide(oneDeputy, progressWith(twoMissing), START)).toMatchObject(end('denied'));
		const oneDeputyFailed = { ...twoMissing, 7: 'pending', 8: 'failed' } as const;
		expect(decide(policy, progressWith(oneDeputyFailed), deputiesDueAt)).toMatchObject(
			end('denied'),
		);
	});

	test('deputies replace people whose request could not be sent', () => {
		const failures = { 1: 'failed', 2: 'failed', 3: 'unclear' } as const;
		expect(decide(policy, progressWith(failures), START)).toEqual(waitUntil(deputiesDueAt));
		expect(decide(policy, progressWith({ ...failures, 7: 'failed' }), deputiesDueAt)).toEqual({
			kind: 'fail',
			level: 0,
		});
	});
});

describe('reminders', () => {
	const policy = buildPolicy([{ ...twoOfThree, deputies: ['7'], deputiesAfterMs: MINUTE }], {
		remindAfterMs: 30 * MINUTE,
		expiresAfterMs: HOUR,
		oneDenialEnds: false,
	});
	const remindersDueAt = START + 30 * MINUTE;
	/** Of the people only 2 has an open request, and so has the deputy 7. */
	const oneOpen = { 1: 'approved', 2: 'pending', 3: 'expired', 7: 'pending' } as const;

	test('reminders go to people with an open request, not to deputies', () => {
		expect(decide(policy, progressWith(oneOpen), remindersDueAt - 1)).toEqual(
			waitUntil(remindersDueAt),
		);
		expect(decide(policy, progressWith(oneOpen), remindersDueAt)).toEqual({
			kind: 'ask',
			level: 0,
			requests: reminders('2'),
		});
	});

	test('reminders are sent once per level', () => {
		const reminded = progressWith(oneOpen, requestTo('2', 'failed', { reminder: true }));
		expect(decide(policy, reminded, remindersDueAt)).toEqual(WAIT_FOR_ANSWERS);
	});

	test('reminders of an earlier level do not prevent those of the current level', () => {
		const twoLevels = { ...policy, levels: [twoOfThree, policy.levels[0]!] };
		const progress: QuorumProgress = {
			level: 1,
			levelStartedAt: START,
			requests: [
				requestTo('1', 'approved', { reminder: true }),
				...progressWith(oneOpen).requests.map((sent) => ({ ...sent, level: 1 })),
			],
		};
		expect(decide(twoLevels, progress, remindersDueAt)).toMatchObject({
			level: 1,
			requests: reminders('2'),
		});
	});

	test('reminders are sent after requests to deputies that are due at the same time', () => {
		const withoutDeputy = progressWith({ 1: 'approved', 2: 'pending', 3: 'expired' });
		expect(decide(policy, withoutDeputy, remindersDueAt)).toMatchObject({
			requests: [...firstRequests('7'), ...reminders('2')],
		});
	});

	test.each([
		[
			'a reminder is sent one minute before the end of the level',
			START + 59 * MINUTE,
			reminders('2'),
		],
		['no reminder is sent in the last minute of the level', START + 59 * MINUTE + 1, undefined],
	])('%s', (_, now, requests) => {
		expect(decide(policy, progressWith(oneOpen), now)).toEqual(
			requests ? { kind: 'ask', level: 0, requests } : WAIT_FOR_ANSWERS,
		);
	});

	test('no reminder is sent in the last minute before the overall time limit', () => {
		const limitAt = START + 30 * MINUTE + MINUTE - 1;
		const limited = { ...policy, limitAt };
		expect(decide(limited, progressWith(oneOpen), remindersDueAt)).toEqual(waitUntil(limitAt));
		expect(decide(limited, progressWith(oneOpen), remindersDueAt - 1)).toEqual(waitUntil(limitAt));
	});

	test('a reminder that is due one minute before the end of the level is sent then', () => {
		const latestReminder = { ...policy, remindAfterMs: 59 * MINUTE };
		expect(decide(latestReminder, progressWith(oneOpen), remindersDueAt)).toEqual(
			waitUntil(START + 59 * MINUTE),
		);
		expect(decide(latestReminder, progressWith(oneOpen), START + 59 * MINUTE)).toMatchObject({
			requests: reminders('2'),
		});
	});

	test('a level does not wait for the time of reminders if no person can get one', () => {
		const answered = progressWith({ 1: 'approved', 2: 'gone', 3: 'expired', 7: 'pending' });
		expect(decide(policy, answered, SOON)).toEqual(WAIT_FOR_ANSWERS);
	});
});

describe('requests that cannot be read', () => {
	const strictPolicy = buildPolicy([twoOfThree]);
	const progress = progressWith(
		{ 1: 'credentialRejected' },
		requestTo('2', 'unread', { expiresAt: START + 30 * HOUR }),
		requestTo('3', 'gone', { expiresAt: START + 40 * HOUR }),
	);

	test('a rejected credential ends the wait when the last open request has expired', () => {
		expect(decide(strictPolicy, progress, START + 30 * HOUR - 1)).toEqual(
			waitUntil(START + 30 * HOUR),
		);
		expect(decide(strictPolicy, progress, START + 30 * HOUR)).toEqual(end('stillOutstanding'));
	});

	test('an unavailable service ends the wait ten minutes after the last open request has expired', () => {
		const unread = progressWith({ 1: 'unread', 2: 'unread', 3: 'pending' });
		const endsAt = START + 24 * HOUR + 10 * MINUTE;
		expect(decide(strictPolicy, unread, endsAt - 1)).toEqual(waitUntil(endsAt));
		expect(decide(strictPolicy, unread, endsAt)).toEqual(end('stillOutstanding'));
	});
});

describe('the time after the expiry of a request', () => {
	const strictPolicy = buildPolicy([twoOfThree]);
	const firstExpiryAt = START + 2 * HOUR;
	const progress = progressWith(
		{ 2: 'approved', 3: 'pending' },
		requestTo('1', 'pending', { expiresAt: firstExpiryAt }),
	);

	test('a pending request counts as expired ten minutes after its expiry', () => {
		const overdueAt = firstExpiryAt + 10 * MINUTE;
		expect(decide(strictPolicy, progress, overdueAt - 1)).toEqual(waitUntil(overdueAt));
		expect(decide(strictPolicy, progress, overdueAt)).toEqual(WAIT_FOR_ANSWERS);
		expect(decide(strictPolicy, progress, WAIT_FOR_ANSWERS.until)).toEqual(end('expired'));
	});

	test('an answer that is read after the expiry still counts', () => {
		const lateAnswers = progressWith({ 1: 'approved', 2: 'approved', 3: 'pending' });
		expect(decide(strictPolicy, lateAnswers, START + 100 * HOUR)).toMatchObject(end('approved'));
	});
});

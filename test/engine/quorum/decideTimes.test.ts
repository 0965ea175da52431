import { decide } from '../../../nodes/engine/quorum/decide';
import type {
	ApprovalLevel,
	QuorumProgress,
	RequestStatus,
} from '../../../nodes/engine/quorum/types';
import {
	progressWith,
	end,
	firstRequests,
	HOUR,
	MINUTE,
	policyOf,
	reminders,
	request,
	SOON,
	START,
	twoOfThree,
	WAIT,
} from './policies';

describe('deputies', () => {
	const level: ApprovalLevel = {
		...twoOfThree,
		deputies: ['7', '8'],
		deputiesAfterMs: 10 * MINUTE,
	};
	const policy = policyOf([level], { oneDenialEnds: false });
	const deputiesDueAt = START + 10 * MINUTE;
	const open = { 1: 'pending', 2: 'pending', 3: 'pending' } as const;

	test('deputies get requests when they are due, and not before', () => {
		expect(decide(policy, progressWith(open), deputiesDueAt - 1)).toEqual({
			kind: 'wait',
			until: deputiesDueAt,
		});
		expect(decide(policy, progressWith(open), deputiesDueAt)).toEqual({
			kind: 'ask',
			level: 0,
			requests: firstRequests('7', '8'),
		});
	});

	test('deputies get only one request each', () => {
		expect(
			decide(policy, progressWith({ ...open, 7: 'pending', 8: 'failed' }), deputiesDueAt),
		).toEqual(WAIT);
		expect(decide(policy, progressWith({ ...open, 7: 'pending' }), deputiesDueAt)).toMatchObject({
			requests: firstRequests('8'),
		});
	});

	test('decide waits for deputies even if no request is open', () => {
		const silent = progressWith({ 1: 'expired', 2: 'gone', 3: 'expired' });
		expect(decide(policy, silent, deputiesDueAt - 1)).toEqual({
			kind: 'wait',
			until: deputiesDueAt,
		});
		expect(decide(policy, silent, deputiesDueAt)).toMatchObject({
			requests: firstRequests('7', '8'),
		});
	});

	test('deputies do not change the needed number of approvals', () => {
		const approvals = {
			1: 'expired',
			2: 'pending',
			3: 'expired',
			7: 'approved',
			8: 'approved',
		} as const;
		expect(decide(policy, progressWith(approvals), deputiesDueAt)).toMatchObject(end('approved'));
		const both = { ...open, 1: 'denied', 2: 'denied', 7: 'pending', 8: 'pending' } as const;
		expect(decide(policy, progressWith(both), deputiesDueAt)).toEqual(WAIT);
		expect(
			decide(policy, progressWith({ ...both, 3: 'denied', 7: 'denied' }), deputiesDueAt),
		).toMatchObject(end('denied'));
	});

	test('deputies do not replace denials: two denials end the level before deputies are due', () => {
		const denials = progressWith({ ...open, 1: 'denied', 2: 'denied' });
		expect(decide(policy, denials, START)).toMatchObject(end('denied'));
		expect(decide(policy, denials, deputiesDueAt)).toMatchObject(end('denied'));
	});

	test('a denial does not end the level while deputies can still approve', () => {
		const silent = { 1: 'denied', 2: 'expired', 3: 'approved' } as const;
		expect(decide(policy, progressWith(silent), START)).toEqual({
			kind: 'wait',
			until: deputiesDueAt,
		});
		const twoLeft = { 1: 'denied', 2: 'expired', 3: 'gone' } as const;
		expect(decide(policy, progressWith(twoLeft), START)).toEqual({
			kind: 'wait',
			until: deputiesDueAt,
		});
		const oneDeputy = policyOf([{ ...level, deputies: ['7'] }], { oneDenialEnds: false });
		expect(decide(oneDeputy, progressWith(twoLeft), START)).toMatchObject(end('denied'));
		const askedToo = { ...twoLeft, 7: 'pending', 8: 'failed' } as const;
		expect(decide(policy, progressWith(askedToo), deputiesDueAt)).toMatchObject(end('denied'));
	});

	test('deputies replace people whose request could not be sent', () => {
		const failures = { 1: 'failed', 2: 'failed', 3: 'unclear' } as const;
		expect(decide(policy, progressWith(failures), START)).toEqual({
			kind: 'wait',
			until: deputiesDueAt,
		});
		expect(decide(policy, progressWith({ ...failures, 7: 'failed' }), deputiesDueAt)).toEqual({
			kind: 'fail',
			level: 0,
		});
	});
});

describe('reminders', () => {
	const policy = policyOf([{ ...twoOfThree, deputies: ['7'], deputiesAfterMs: MINUTE }], {
		remindAfterMs: 30 * MINUTE,
		expiresAfterMs: HOUR,
		oneDenialEnds: false,
	});
	const dueAt = START + 30 * MINUTE;
	const some = { 1: 'approved', 2: 'pending', 3: 'expired', 7: 'pending' } as const;

	test('reminders go to people with an open request, not to deputies', () => {
		expect(decide(policy, progressWith(some), dueAt - 1)).toEqual({ kind: 'wait', until: dueAt });
		expect(decide(policy, progressWith(some), dueAt)).toEqual({
			kind: 'ask',
			level: 0,
			requests: reminders('2'),
		});
	});

	test('reminders are sent once per level', () => {
		const reminded = progressWith(some, request('2', 'failed', { reminder: true }));
		expect(decide(policy, reminded, dueAt)).toEqual(WAIT);
	});

	test('reminders of an earlier level do not count', () => {
		const twoLevels = { ...policy, levels: [twoOfThree, policy.levels[0]!] };
		const progress: QuorumProgress = {
			level: 1,
			levelStartedAt: START,
			requests: [
				request('1', 'approved', { reminder: true }),
				...progressWith(some).requests.map((pending) => ({ ...pending, level: 1 })),
			],
		};
		expect(decide(twoLevels, progress, dueAt)).toMatchObject({
			level: 1,
			requests: reminders('2'),
		});
	});

	test('reminders are sent after requests to deputies that are due at the same time', () => {
		const people = progressWith({ 1: 'approved', 2: 'pending', 3: 'expired' });
		expect(decide(policy, people, dueAt)).toMatchObject({
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
		expect(decide(policy, progressWith(some), now)).toEqual(
			requests ? { kind: 'ask', level: 0, requests } : WAIT,
		);
	});

	test('reminders treat the overall time limit as the end of the level', () => {
		const limitAt = START + 30 * MINUTE + MINUTE - 1;
		const limited = { ...policy, limitAt };
		expect(decide(limited, progressWith(some), dueAt)).toEqual({ kind: 'wait', until: limitAt });
		expect(decide(limited, progressWith(some), dueAt - 1)).toEqual({
			kind: 'wait',
			until: limitAt,
		});
	});

	test('reminders are due at the latest one minute before the end of the level', () => {
		const last = { ...policy, remindAfterMs: 59 * MINUTE };
		expect(decide(last, progressWith(some), dueAt)).toEqual({
			kind: 'wait',
			until: START + 59 * MINUTE,
		});
		expect(decide(last, progressWith(some), START + 59 * MINUTE)).toMatchObject({
			requests: reminders('2'),
		});
	});

	test('decide does not wait for reminders that no person can get', () => {
		const answered = progressWith({ 1: 'approved', 2: 'gone', 3: 'expired', 7: 'pending' });
		expect(decide(policy, answered, SOON)).toEqual(WAIT);
	});
});

describe('overall time limit', () => {
	const limitAt = START + HOUR;
	const policy = policyOf([twoOfThree, { ...twoOfThree, people: ['4'], needed: 1 }], { limitAt });
	const statuses = (status: RequestStatus) => progressWith({ 1: status, 2: status, 3: status });

	test.each<[RequestStatus, string]>([
		['pending', 'stillOutstanding'],
		['expired', 'expired'],
		['gone', 'gone'],
		['unread', 'stillOutstanding'],
		['credentialRejected', 'stillOutstanding'],
		['approved', 'stillOutstanding'],
		['denied', 'denied'],
	])('the time limit ends a first level that is %s as %s', (status, outcome) => {
		expect(decide(policy, statuses(status), limitAt)).toMatchObject(end(outcome));
		expect(decide(policy, statuses(status), limitAt + HOUR)).toMatchObject(end(outcome));
	});

	test('the time limit does not revoke an approval of the last level', () => {
		const last = { ...policy, levels: [twoOfThree] };
		expect(decide(last, statuses('approved'), limitAt + HOUR)).toMatchObject(end('approved'));
	});

	test('decide waits until the time limit', () => {
		expect(decide(policy, statuses('pending'), limitAt - 1)).toEqual({
			kind: 'wait',
			until: limitAt,
		});
		expect(decide(policy, statuses('unread'), limitAt - 1)).toEqual({
			kind: 'wait',
			until: limitAt,
		});
	});
});

describe('a rejected credential', () => {
	const strict = policyOf([twoOfThree]);
	const progress = progressWith(
		{ 1: 'credentialRejected' },
		request('2', 'unread', { expiresAt: START + 30 * HOUR }),
		request('3', 'gone', { expiresAt: START + 40 * HOUR }),
	);

	test('ends the wait when the last open request has expired', () => {
		expect(decide(strict, progress, START + 30 * HOUR - 1)).toEqual({
			kind: 'wait',
			until: START + 30 * HOUR,
		});
		expect(decide(strict, progress, START + 30 * HOUR)).toEqual(end('stillOutstanding'));
	});

	test('an unavailable service gets ten minutes more than a rejected credential', () => {
		const unread = progressWith({ 1: 'unread', 2: 'unread', 3: 'pending' });
		const last = START + 24 * HOUR + 10 * MINUTE;
		expect(decide(strict, unread, last - 1)).toEqual({ kind: 'wait', until: last });
		expect(decide(strict, unread, last)).toEqual(end('stillOutstanding'));
	});
});

describe('a request that is pending after its expiry', () => {
	const strict = policyOf([twoOfThree]);
	const early = START + 2 * HOUR;
	const progress = progressWith(
		{ 2: 'approved', 3: 'pending' },
		request('1', 'pending', { expiresAt: early }),
	);

	test('a pending request counts as expired ten minutes after its expiry', () => {
		const overdue = early + 10 * MINUTE;
		expect(decide(strict, progress, overdue - 1)).toEqual({ kind: 'wait', until: overdue });
		expect(decide(strict, progress, overdue)).toEqual(WAIT);
		expect(decide(strict, progress, WAIT.until)).toEqual(end('expired'));
	});

	test('an answer that is read after the expiry still counts', () => {
		const late = progressWith({ 1: 'approved', 2: 'approved', 3: 'pending' });
		expect(decide(strict, late, START + 100 * HOUR)).toMatchObject(end('approved'));
	});
});

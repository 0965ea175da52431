import { decide } from '../../../nodes/engine/quorum/decide';
import type {
	ApprovalLevel,
	QuorumProgress,
	RequestStatus,
} from '../../../nodes/engine/quorum/types';
import {
	asked,
	end,
	first,
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

	test('are asked once their time has come, and not before', () => {
		expect(decide(policy, asked(open), deputiesDueAt - 1)).toEqual({
			kind: 'wait',
			until: deputiesDueAt,
		});
		expect(decide(policy, asked(open), deputiesDueAt)).toEqual({
			kind: 'ask',
			level: 0,
			requests: first('7', '8'),
		});
	});

	test('are not asked twice', () => {
		expect(decide(policy, asked({ ...open, 7: 'pending', 8: 'failed' }), deputiesDueAt)).toEqual(
			WAIT,
		);
		expect(decide(policy, asked({ ...open, 7: 'pending' }), deputiesDueAt)).toMatchObject({
			requests: first('8'),
		});
	});

	test('are awaited although no request is open', () => {
		const silent = asked({ 1: 'expired', 2: 'gone', 3: 'expired' });
		expect(decide(policy, silent, deputiesDueAt - 1)).toEqual({
			kind: 'wait',
			until: deputiesDueAt,
		});
		expect(decide(policy, silent, deputiesDueAt)).toMatchObject({ requests: first('7', '8') });
	});

	test('widen the pool, not the number needed', () => {
		const approvals = {
			1: 'expired',
			2: 'pending',
			3: 'expired',
			7: 'approved',
			8: 'approved',
		} as const;
		expect(decide(policy, asked(approvals), deputiesDueAt)).toMatchObject(end('approved'));
		const both = { ...open, 1: 'denied', 2: 'denied', 7: 'pending', 8: 'pending' } as const;
		expect(decide(policy, asked(both), deputiesDueAt)).toEqual(WAIT);
		expect(
			decide(policy, asked({ ...both, 3: 'denied', 7: 'denied' }), deputiesDueAt),
		).toMatchObject(end('denied'));
	});

	test('replace silence, not a no: two denials end it before they are asked', () => {
		const denials = asked({ ...open, 1: 'denied', 2: 'denied' });
		expect(decide(policy, denials, START)).toMatchObject(end('denied'));
		expect(decide(policy, denials, deputiesDueAt)).toMatchObject(end('denied'));
	});

	test('replace silence: a denial is not the end while they can make up for who is silent', () => {
		const silent = { 1: 'denied', 2: 'expired', 3: 'approved' } as const;
		expect(decide(policy, asked(silent), START)).toEqual({ kind: 'wait', until: deputiesDueAt });
		const twoLeft = { 1: 'denied', 2: 'expired', 3: 'gone' } as const;
		expect(decide(policy, asked(twoLeft), START)).toEqual({ kind: 'wait', until: deputiesDueAt });
		const oneDeputy = policyOf([{ ...level, deputies: ['7'] }], { oneDenialEnds: false });
		expect(decide(oneDeputy, asked(twoLeft), START)).toMatchObject(end('denied'));
		const askedToo = { ...twoLeft, 7: 'pending', 8: 'failed' } as const;
		expect(decide(policy, asked(askedToo), deputiesDueAt)).toMatchObject(end('denied'));
	});

	test('can replace people whose request could not be sent', () => {
		const failures = { 1: 'failed', 2: 'failed', 3: 'unclear' } as const;
		expect(decide(policy, asked(failures), START)).toEqual({ kind: 'wait', until: deputiesDueAt });
		expect(decide(policy, asked({ ...failures, 7: 'failed' }), deputiesDueAt)).toEqual({
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

	test('go to people whose request is open, not to deputies', () => {
		expect(decide(policy, asked(some), dueAt - 1)).toEqual({ kind: 'wait', until: dueAt });
		expect(decide(policy, asked(some), dueAt)).toEqual({
			kind: 'ask',
			level: 0,
			requests: reminders('2'),
		});
	});

	test('are sent once per level', () => {
		const reminded = asked(some, request('2', 'failed', { reminder: true }));
		expect(decide(policy, reminded, dueAt)).toEqual(WAIT);
	});

	test('of an earlier level do not count', () => {
		const twoLevels = { ...policy, levels: [twoOfThree, policy.levels[0]!] };
		const progress: QuorumProgress = {
			level: 1,
			levelStartedAt: START,
			requests: [
				request('1', 'approved', { reminder: true }),
				...asked(some).requests.map((one) => ({ ...one, level: 1 })),
			],
		};
		expect(decide(twoLevels, progress, dueAt)).toMatchObject({
			level: 1,
			requests: reminders('2'),
		});
	});

	test('come with deputies that are due as well, after them', () => {
		const people = asked({ 1: 'approved', 2: 'pending', 3: 'expired' });
		expect(decide(policy, people, dueAt)).toMatchObject({
			requests: [...first('7'), ...reminders('2')],
		});
	});

	test.each([
		['a minute before the end of the level', START + 59 * MINUTE, reminders('2')],
		['later than that', START + 59 * MINUTE + 1, undefined],
	])('%s', (_, now, requests) => {
		expect(decide(policy, asked(some), now)).toEqual(
			requests ? { kind: 'ask', level: 0, requests } : WAIT,
		);
	});

	test('heed the time limit of the whole as the end of the level', () => {
		const limitAt = START + 30 * MINUTE + MINUTE - 1;
		const limited = { ...policy, limitAt };
		expect(decide(limited, asked(some), dueAt)).toEqual({ kind: 'wait', until: limitAt });
		expect(decide(limited, asked(some), dueAt - 1)).toEqual({ kind: 'wait', until: limitAt });
	});

	test('can be due a minute before the end of the level at the earliest', () => {
		const last = { ...policy, remindAfterMs: 59 * MINUTE };
		expect(decide(last, asked(some), dueAt)).toEqual({ kind: 'wait', until: START + 59 * MINUTE });
		expect(decide(last, asked(some), START + 59 * MINUTE)).toMatchObject({
			requests: reminders('2'),
		});
	});

	test('are no reason to wait if no person could get one', () => {
		const answered = asked({ 1: 'approved', 2: 'gone', 3: 'expired', 7: 'pending' });
		expect(decide(policy, answered, SOON)).toEqual(WAIT);
	});
});

describe('the time limit of the whole', () => {
	const limitAt = START + HOUR;
	const policy = policyOf([twoOfThree, { ...twoOfThree, people: ['4'], needed: 1 }], { limitAt });
	const statuses = (one: RequestStatus) => asked({ 1: one, 2: one, 3: one });

	test.each<[RequestStatus, string]>([
		['pending', 'stillOutstanding'],
		['expired', 'expired'],
		['gone', 'gone'],
		['unread', 'stillOutstanding'],
		['credentialRejected', 'stillOutstanding'],
		['approved', 'stillOutstanding'],
		['denied', 'denied'],
	])('ends a first level that is %s as %s', (status, outcome) => {
		expect(decide(policy, statuses(status), limitAt)).toMatchObject(end(outcome));
		expect(decide(policy, statuses(status), limitAt + HOUR)).toMatchObject(end(outcome));
	});

	test('does not take back an approval of the last level', () => {
		const last = { ...policy, levels: [twoOfThree] };
		expect(decide(last, statuses('approved'), limitAt + HOUR)).toMatchObject(end('approved'));
	});

	test('is awaited before it', () => {
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
	const progress = asked(
		{ 1: 'credentialRejected' },
		request('2', 'unread', { expiresAt: START + 30 * HOUR }),
		request('3', 'gone', { expiresAt: START + 40 * HOUR }),
	);

	test('ends it when the last open request has expired', () => {
		expect(decide(strict, progress, START + 30 * HOUR - 1)).toEqual({
			kind: 'wait',
			until: START + 30 * HOUR,
		});
		expect(decide(strict, progress, START + 30 * HOUR)).toEqual(end('stillOutstanding'));
	});

	test('is not the same as an unavailable service, which gets ten minutes more', () => {
		const unread = asked({ 1: 'unread', 2: 'unread', 3: 'pending' });
		const last = START + 24 * HOUR + 10 * MINUTE;
		expect(decide(strict, unread, last - 1)).toEqual({ kind: 'wait', until: last });
		expect(decide(strict, unread, last)).toEqual(end('stillOutstanding'));
	});
});

describe('a request that is pending after its expiry', () => {
	const strict = policyOf([twoOfThree]);
	const early = START + 2 * HOUR;
	const progress = asked(
		{ 2: 'approved', 3: 'pending' },
		request('1', 'pending', { expiresAt: early }),
	);

	test('counts as expired after ten minutes', () => {
		const overdue = early + 10 * MINUTE;
		expect(decide(strict, progress, overdue - 1)).toEqual({ kind: 'wait', until: overdue });
		expect(decide(strict, progress, overdue)).toEqual(WAIT);
		expect(decide(strict, progress, WAIT.until)).toEqual(end('expired'));
	});

	test('still counts if its answer is read late', () => {
		const late = asked({ 1: 'approved', 2: 'approved', 3: 'pending' });
		expect(decide(strict, late, START + 100 * HOUR)).toMatchObject(end('approved'));
	});
});

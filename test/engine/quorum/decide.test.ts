// Protects decisions by several people: one vote per person, no approval without enough votes, and each level in its turn.
import { decide } from '../../../nodes/engine/quorum/decide';
import type {
	ApprovalLevel,
	ApprovalPolicy,
	QuorumProgress,
	RequestStatus,
} from '../../../nodes/engine/quorum/types';
import {
	progressWith,
	decidedBy,
	end,
	firstRequests,
	MINUTE,
	buildPolicy,
	requestTo,
	SOON,
	START,
	twoOfThree,
	WAIT_FOR_ANSWERS,
	waitUntil,
} from './policies';

/** One denial ends the level. */
const strictPolicy = buildPolicy([twoOfThree]);
/** Denials are counted: a level is denied when too few people are left to approve. */
const lenientPolicy = buildPolicy([twoOfThree], { oneDenialEnds: false });

/** Decides the first level of a policy a minute after its start. */
const decideSoon = (policy: ApprovalPolicy, statuses: Record<string, RequestStatus>) =>
	decide(policy, progressWith(statuses), SOON);

describe('votes of one level', () => {
	test('the people of the level get requests in their order', () => {
		expect(decide(strictPolicy, progressWith({}), START)).toEqual({
			kind: 'ask',
			level: 0,
			requests: firstRequests('1', '2', '3'),
		});
	});

	test('only people who have no request yet get one', () => {
		expect(decideSoon(strictPolicy, { 2: 'pending' })).toMatchObject({
			requests: firstRequests('1', '3'),
		});
	});

	test.each<[Record<string, RequestStatus>, object]>([
		[{ 1: 'pending', 2: 'pending', 3: 'pending' }, WAIT_FOR_ANSWERS],
		[{ 1: 'approved', 2: 'pending', 3: 'pending' }, WAIT_FOR_ANSWERS],
		[{ 1: 'pending', 2: 'approved', 3: 'approved' }, end('approved')],
		[{ 1: 'approved', 2: 'approved', 3: 'approved' }, end('approved')],
		[{ 1: 'approved', 2: 'approved', 3: 'denied' }, end('denied')],
		[{ 1: 'pending', 2: 'denied', 3: 'pending' }, end('denied')],
		[{ 1: 'expired', 2: 'pending', 3: 'pending' }, WAIT_FOR_ANSWERS],
		[{ 1: 'gone', 2: 'gone', 3: 'pending' }, WAIT_FOR_ANSWERS],
		[{ 1: 'expired', 2: 'expired', 3: 'expired' }, end('expired')],
		[{ 1: 'approved', 2: 'expired', 3: 'expired' }, end('expired')],
		[{ 1: 'gone', 2: 'gone', 3: 'expired' }, end('expired')],
		[{ 1: 'gone', 2: 'gone', 3: 'gone' }, end('gone')],
		[{ 1: 'gone', 2: 'gone', 3: 'approved' }, end('gone')],
		[{ 1: 'failed', 2: 'pending', 3: 'pending' }, WAIT_FOR_ANSWERS],
		[{ 1: 'unclear', 2: 'pending', 3: 'pending' }, WAIT_FOR_ANSWERS],
		[
			{ 1: 'failed', 2: 'unclear', 3: 'pending' },
			{ kind: 'fail', level: 0 },
		],
		[{ 1: 'failed', 2: 'unclear', 3: 'denied' }, end('denied')],
		[{ 1: 'unread', 2: 'pending', 3: 'denied' }, end('denied')],
		[{ 1: 'failed', 2: 'approved', 3: 'approved' }, end('approved')],
		[{ 1: 'failed', 2: 'expired', 3: 'approved' }, end('expired')],
	])('if one denial is enough, the statuses %j lead to %j', (statuses, result) => {
		expect(decideSoon(strictPolicy, statuses)).toMatchObject(result);
	});

	test.each<[Record<string, RequestStatus>, object]>([
		[{ 1: 'denied', 2: 'pending', 3: 'pending' }, WAIT_FOR_ANSWERS],
		[{ 1: 'denied', 2: 'approved', 3: 'approved' }, end('approved')],
		[{ 1: 'denied', 2: 'pending', 3: 'denied' }, end('denied')],
		[{ 1: 'denied', 2: 'expired', 3: 'pending' }, end('denied')],
		[{ 1: 'denied', 2: 'expired', 3: 'expired' }, end('denied')],
		[{ 1: 'denied', 2: 'gone', 3: 'approved' }, end('denied')],
		[{ 1: 'denied', 2: 'failed', 3: 'pending' }, end('denied')],
		[{ 1: 'denied', 2: 'unclear', 3: 'approved' }, end('denied')],
		[{ 1: 'failed', 2: 'failed', 3: 'denied' }, { kind: 'fail' }],
		[{ 1: 'denied', 2: 'denied', 3: 'unread' }, WAIT_FOR_ANSWERS],
		[{ 1: 'expired', 2: 'expired', 3: 'pending' }, WAIT_FOR_ANSWERS],
	])('if denials are counted, the statuses %j lead to %j', (statuses, result) => {
		expect(decideSoon(lenientPolicy, statuses)).toMatchObject(result);
	});

	test.each<RequestStatus>(['unread', 'credentialRejected'])(
		'a request that is %s keeps the level open even if the other people approved or their requests expired',
		(status) => {
			for (const other of ['approved', 'expired'] as const) {
				const result = decideSoon(strictPolicy, { 1: other, 2: other, 3: status });
				expect(result.kind).toBe('wait');
			}
		},
	);
});

describe('one person, one vote', () => {
	/** Progress in which the first person has a request and a reminder with these statuses. */
	const progressWithReminder = (first: RequestStatus, reminder: RequestStatus) =>
		progressWith(
			{ 1: first, 2: 'pending', 3: 'pending' },
			requestTo('1', reminder, { reminder: true }),
		);

	test('two approvals of one person count as one vote', () => {
		expect(decide(strictPolicy, progressWithReminder('approved', 'approved'), SOON)).toEqual(
			WAIT_FOR_ANSWERS,
		);
	});

	test('two denials of one person count as one vote', () => {
		expect(decide(lenientPolicy, progressWithReminder('denied', 'denied'), SOON)).toEqual(
			WAIT_FOR_ANSWERS,
		);
	});

	test.each<[RequestStatus, RequestStatus]>([
		['approved', 'denied'],
		['denied', 'approved'],
	])(
		'a first request that is %s and a reminder that is %s count as a denial',
		(first, reminder) => {
			const oneNeeded = buildPolicy([{ ...twoOfThree, needed: 1 }], { oneDenialEnds: false });
			expect(decide(oneNeeded, progressWithReminder(first, reminder), SOON)).toEqual(
				WAIT_FOR_ANSWERS,
			);
			expect(decide(strictPolicy, progressWithReminder(first, reminder), SOON)).toMatchObject(
				end('denied'),
			);
		},
	);

	test.each<RequestStatus>(['expired', 'gone', 'failed', 'unclear', 'pending'])(
		'an approval counts even if another request of the person is %s',
		(status) => {
			const oneNeeded = buildPolicy([{ ...twoOfThree, needed: 1 }]);
			expect(decide(oneNeeded, progressWithReminder(status, 'approved'), SOON)).toMatchObject(
				end('approved'),
			);
		},
	);

	test('the first request stays open if the reminder could not be sent', () => {
		const failedReminder = progressWith({ 1: 'pending', 2: 'pending', 3: 'failed' });
		failedReminder.requests.push(requestTo('1', 'failed', { reminder: true }));
		expect(decide(strictPolicy, failedReminder, SOON)).toEqual(WAIT_FOR_ANSWERS);
	});
});

test.each<RequestStatus>(['expired', 'gone', 'failed', 'unclear'])(
	'a deputy who gets a request later can replace a request that is %s, but not a denial',
	(status) => {
		const level = { ...twoOfThree, deputies: ['7'], deputiesAfterMs: 10 * MINUTE };
		const policy = buildPolicy([level], { oneDenialEnds: false });
		const undecided = progressWith({ 1: 'approved', 2: 'denied', 3: status });
		expect(decide(policy, undecided, SOON)).toEqual(waitUntil(START + 10 * MINUTE));
		const denied = progressWith({ 1: 'approved', 2: 'denied', 3: 'denied' });
		expect(decide(policy, denied, SOON)).toMatchObject(end('denied'));
	},
);

describe('two levels', () => {
	const manager: ApprovalLevel = { name: 'Manager', people: ['9'], needed: 1, deputies: [] };
	const twoLevels = buildPolicy([manager, twoOfThree]);

	test('the next level gets requests once the previous level has approved', () => {
		expect(decide(twoLevels, progressWith({ 9: 'approved' }), SOON)).toEqual({
			kind: 'ask',
			level: 1,
			requests: firstRequests('1', '2', '3'),
		});
	});

	test.each<[RequestStatus, object]>([
		['denied', end('denied')],
		['expired', end('expired')],
		['gone', end('gone')],
		['pending', WAIT_FOR_ANSWERS],
	])('the next level gets no request if the previous level is %s', (status, result) => {
		expect(decide(twoLevels, progressWith({ 9: status }), SOON)).toMatchObject(result);
	});

	/** Progress of the second level, with the status of the manager's request of the first level. */
	const secondLevelProgress = (
		managerStatus: RequestStatus,
		...statuses: RequestStatus[]
	): QuorumProgress => ({
		level: 1,
		levelStartedAt: START,
		requests: [
			requestTo('9', managerStatus),
			...statuses.map((status, index) => requestTo(`${index + 1}`, status, { level: 1 })),
		],
	});

	test('requests of a level that has approved do not change the decision of the next level', () => {
		expect(
			decide(twoLevels, secondLevelProgress('denied', 'approved', 'pending', 'pending'), SOON),
		).toEqual(WAIT_FOR_ANSWERS);
		expect(
			decide(twoLevels, secondLevelProgress('denied', 'approved', 'approved', 'pending'), SOON),
		).toEqual({
			...end('approved', 1),
			...decidedBy('2'),
		});
		expect(
			decide(twoLevels, secondLevelProgress('unread', 'pending', 'pending', 'pending'), SOON),
		).toEqual(WAIT_FOR_ANSWERS);
	});

	test('a result that ends the wait names the level', () => {
		const denied = secondLevelProgress('approved', 'denied', 'pending', 'pending');
		expect(decide(twoLevels, denied, SOON)).toEqual({ ...end('denied', 1), ...decidedBy('1') });
		const failed = secondLevelProgress('approved', 'failed', 'failed', 'pending');
		expect(decide(twoLevels, failed, SOON)).toEqual({ kind: 'fail', level: 1 });
	});
});

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
	policyOf,
	request,
	SOON,
	START,
	twoOfThree,
	WAIT,
} from './policies';

const strict = policyOf([twoOfThree]);
const lenient = policyOf([twoOfThree], { oneDenialEnds: false });

/** Decides the first level of a policy a minute after its start. */
const soon = (policy: ApprovalPolicy, statuses: Record<string, RequestStatus>) =>
	decide(policy, progressWith(statuses), SOON);

describe('votes of one level', () => {
	test('the people of the level get requests first, in their order', () => {
		expect(decide(strict, progressWith({}), START)).toEqual({
			kind: 'ask',
			level: 0,
			requests: firstRequests('1', '2', '3'),
		});
	});

	test('only people who have no request yet get one', () => {
		expect(soon(strict, { 2: 'pending' })).toMatchObject({ requests: firstRequests('1', '3') });
	});

	test.each<[string, Record<string, RequestStatus>, object]>([
		['no answer yet', { 1: 'pending', 2: 'pending', 3: 'pending' }, WAIT],
		['one approval of two', { 1: 'approved', 2: 'pending', 3: 'pending' }, WAIT],
		['two approvals', { 1: 'pending', 2: 'approved', 3: 'approved' }, end('approved')],
		['three approvals', { 1: 'approved', 2: 'approved', 3: 'approved' }, end('approved')],
		['two approvals and a denial', { 1: 'approved', 2: 'approved', 3: 'denied' }, end('denied')],
		['one denial', { 1: 'pending', 2: 'denied', 3: 'pending' }, end('denied')],
		['one expired, two open', { 1: 'expired', 2: 'pending', 3: 'pending' }, WAIT],
		['too few are open', { 1: 'gone', 2: 'gone', 3: 'pending' }, WAIT],
		['all expired', { 1: 'expired', 2: 'expired', 3: 'expired' }, end('expired')],
		['one approved, others expired', { 1: 'approved', 2: 'expired', 3: 'expired' }, end('expired')],
		['expired and gone', { 1: 'gone', 2: 'gone', 3: 'expired' }, end('expired')],
		['all gone', { 1: 'gone', 2: 'gone', 3: 'gone' }, end('gone')],
		['gone and approved', { 1: 'gone', 2: 'gone', 3: 'approved' }, end('gone')],
		['one could not be sent', { 1: 'failed', 2: 'pending', 3: 'pending' }, WAIT],
		['one may have been sent', { 1: 'unclear', 2: 'pending', 3: 'pending' }, WAIT],
		['two not sent', { 1: 'failed', 2: 'unclear', 3: 'pending' }, { kind: 'fail', level: 0 }],
		['two not sent, one denied', { 1: 'failed', 2: 'unclear', 3: 'denied' }, end('denied')],
		['one unread, one denied', { 1: 'unread', 2: 'pending', 3: 'denied' }, end('denied')],
		[
			'one request not sent, others approved',
			{ 1: 'failed', 2: 'approved', 3: 'approved' },
			end('approved'),
		],
		['one not sent, one expired', { 1: 'failed', 2: 'expired', 3: 'approved' }, end('expired')],
	])('decide returns the expected result if one denial is enough: %s', (_, statuses, result) => {
		expect(soon(strict, statuses)).toMatchObject(result);
	});

	test.each<[string, Record<string, RequestStatus>, object]>([
		['one denial of three', { 1: 'denied', 2: 'pending', 3: 'pending' }, WAIT],
		['two approvals and a denial', { 1: 'denied', 2: 'approved', 3: 'approved' }, end('approved')],
		['two denials', { 1: 'denied', 2: 'pending', 3: 'denied' }, end('denied')],
		['a denial, one expired, one open', { 1: 'denied', 2: 'expired', 3: 'pending' }, end('denied')],
		['a denial, the others expired', { 1: 'denied', 2: 'expired', 3: 'expired' }, end('denied')],
		['a denial, a gone one, an approval', { 1: 'denied', 2: 'gone', 3: 'approved' }, end('denied')],
		[
			'a denial, an unsent request, an open request',
			{ 1: 'denied', 2: 'failed', 3: 'pending' },
			end('denied'),
		],
		['a denial, an unclear one', { 1: 'denied', 2: 'unclear', 3: 'approved' }, end('denied')],
		['two not sent, one denied', { 1: 'failed', 2: 'failed', 3: 'denied' }, { kind: 'fail' }],
		['two denials, one unread', { 1: 'denied', 2: 'denied', 3: 'unread' }, WAIT],
		['no denial, too few open', { 1: 'expired', 2: 'expired', 3: 'pending' }, WAIT],
	])('decide returns the expected result if denials are counted: %s', (_, statuses, result) => {
		expect(soon(lenient, statuses)).toMatchObject(result);
	});

	test.each<RequestStatus>(['unread', 'credentialRejected'])(
		'a request that is %s keeps the level open, whatever the status of the others',
		(status) => {
			for (const other of ['approved', 'expired'] as const) {
				const result = soon(strict, { 1: other, 2: other, 3: status });
				expect(result.kind).toBe('wait');
			}
		},
	);
});

describe('one person, one vote', () => {
	const progress = (first: RequestStatus, second: RequestStatus) =>
		progressWith(
			{ 1: first, 2: 'pending', 3: 'pending' },
			request('1', second, { reminder: true }),
		);

	test('two approvals of one person count as one vote', () => {
		expect(decide(strict, progress('approved', 'approved'), SOON)).toEqual(WAIT);
	});

	test('two denials of one person count as one vote', () => {
		expect(decide(lenient, progress('denied', 'denied'), SOON)).toEqual(WAIT);
	});

	test.each<[RequestStatus, RequestStatus]>([
		['approved', 'denied'],
		['denied', 'approved'],
	])('%s and then %s counts as a denial', (first, second) => {
		const single = policyOf([{ ...twoOfThree, needed: 1 }], { oneDenialEnds: false });
		expect(decide(single, progress(first, second), SOON)).toEqual(WAIT);
		expect(decide(strict, progress(first, second), SOON)).toMatchObject(end('denied'));
	});

	test.each<RequestStatus>(['expired', 'gone', 'failed', 'unclear', 'pending'])(
		'an approval counts even if another request of the person is %s',
		(status) => {
			const single = policyOf([{ ...twoOfThree, needed: 1 }]);
			expect(decide(single, progress(status, 'approved'), SOON)).toMatchObject(end('approved'));
		},
	);

	test('a reminder that could not be sent leaves the first request open', () => {
		const withReminder = progressWith({ 1: 'pending', 2: 'pending', 3: 'failed' });
		withReminder.requests.push(request('1', 'failed', { reminder: true }));
		expect(decide(strict, withReminder, SOON)).toEqual(WAIT);
	});
});

test.each<RequestStatus>(['expired', 'gone', 'failed', 'unclear'])(
	'deputies without a request replace a request that is %s, but not a denial',
	(status) => {
		const level = { ...twoOfThree, deputies: ['7'], deputiesAfterMs: 10 * MINUTE };
		const policy = policyOf([level], { oneDenialEnds: false });
		const open = progressWith({ 1: 'approved', 2: 'denied', 3: status });
		expect(decide(policy, open, SOON)).toEqual({ kind: 'wait', until: START + 10 * MINUTE });
		const denied = progressWith({ 1: 'approved', 2: 'denied', 3: 'denied' });
		expect(decide(policy, denied, SOON)).toMatchObject(end('denied'));
	},
);

describe('levels', () => {
	const manager: ApprovalLevel = { name: 'Manager', people: ['9'], needed: 1, deputies: [] };
	const twoLevels = policyOf([manager, twoOfThree]);

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
		['pending', WAIT],
	])('the next level gets no request if the previous level is %s', (status, result) => {
		expect(decide(twoLevels, progressWith({ 9: status }), SOON)).toMatchObject(result);
	});

	const inSecond = (late: RequestStatus, ...statuses: RequestStatus[]): QuorumProgress => ({
		level: 1,
		levelStartedAt: START,
		requests: [
			request('9', late),
			...statuses.map((status, index) => request(`${index + 1}`, status, { level: 1 })),
		],
	});

	test('answers to an approved level do not count for the next level', () => {
		expect(decide(twoLevels, inSecond('denied', 'approved', 'pending', 'pending'), SOON)).toEqual(
			WAIT,
		);
		expect(decide(twoLevels, inSecond('denied', 'approved', 'approved', 'pending'), SOON)).toEqual({
			...end('approved', 1),
			...decidedBy('2'),
		});
		expect(decide(twoLevels, inSecond('unread', 'pending', 'pending', 'pending'), SOON)).toEqual(
			WAIT,
		);
	});

	test('the final result names its level', () => {
		const denied = inSecond('approved', 'denied', 'pending', 'pending');
		expect(decide(twoLevels, denied, SOON)).toEqual({ ...end('denied', 1), ...decidedBy('1') });
		const failed = inSecond('approved', 'failed', 'failed', 'pending');
		expect(decide(twoLevels, failed, SOON)).toEqual({ kind: 'fail', level: 1 });
	});
});

// Protects decisions by several people at their time limit: votes stay valid, and a level that is open then has no decision.
import { decide } from '../../../nodes/engine/quorum/decide';
import type { RequestStatus } from '../../../nodes/engine/quorum/types';
import {
	progressWith,
	end,
	HOUR,
	MINUTE,
	buildPolicy,
	requestTo,
	START,
	twoOfThree,
	waitUntil,
} from './policies';

describe('overall time limit', () => {
	const limitAt = START + HOUR;
	const policy = buildPolicy([twoOfThree, { ...twoOfThree, people: ['4'], needed: 1 }], {
		limitAt,
	});
	const allWith = (status: RequestStatus) => progressWith({ 1: status, 2: status, 3: status });

	test.each<[RequestStatus, string]>([
		['pending', 'stillOutstanding'],
		['expired', 'stillOutstanding'],
		['gone', 'stillOutstanding'],
		['unread', 'stillOutstanding'],
		['credentialRejected', 'stillOutstanding'],
		['approved', 'stillOutstanding'],
		['denied', 'denied'],
	])('a first level whose requests are all %s ends as %s at the time limit', (status, outcome) => {
		expect(decide(policy, allWith(status), limitAt)).toMatchObject(end(outcome));
		expect(decide(policy, allWith(status), limitAt + HOUR)).toMatchObject(end(outcome));
	});

	const oneLevel = { ...policy, levels: [twoOfThree] };

	test.each(['expired', 'gone'] as const)(
		'requests that expire with the limit and are %s end the level only before the last minute',
		(status) => {
			const lastMinute = limitAt - MINUTE;
			expect(decide(policy, allWith(status), lastMinute)).toEqual(end(status));
			expect(decide(policy, allWith(status), lastMinute + 1)).toEqual(waitUntil(limitAt));
		},
	);

	test('requests that expire with the limit turn a single denial into no decision', () => {
		const progress = progressWith({ 1: 'denied', 2: 'expired', 3: 'expired' });
		const tolerant = { ...oneLevel, oneDenialEnds: false };
		expect(decide(tolerant, progress, limitAt - 1)).toEqual(waitUntil(limitAt));
		expect(decide(tolerant, progress, limitAt)).toEqual(end('stillOutstanding'));
	});

	test('a level whose requests expired before the limit ends as expired, however late they are read', () => {
		const early = { expiresAt: limitAt - 1 };
		const progress = progressWith(
			{},
			...['1', '2', '3'].map((person) => requestTo(person, 'expired', early)),
		);
		expect(decide(policy, progress, limitAt - 1)).toEqual(end('expired'));
		expect(decide(policy, progress, limitAt + HOUR)).toEqual(end('expired'));
	});

	test('a pending request that was not overdue at the limit does not count as expired after it', () => {
		const early = { expiresAt: limitAt - MINUTE };
		const progress = progressWith({ 1: 'expired', 2: 'expired' }, requestTo('3', 'pending', early));
		expect(decide(policy, progress, limitAt + HOUR)).toEqual(end('stillOutstanding'));
	});

	test('an approval of the last level is valid after the time limit', () => {
		expect(decide(oneLevel, allWith('approved'), limitAt + HOUR)).toMatchObject(end('approved'));
	});

	test('a level with open requests waits until the time limit', () => {
		expect(decide(policy, allWith('pending'), limitAt - 1)).toEqual(waitUntil(limitAt));
		expect(decide(policy, allWith('unread'), limitAt - 1)).toEqual(waitUntil(limitAt));
	});
});

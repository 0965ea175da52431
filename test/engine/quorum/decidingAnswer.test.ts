import { decide } from '../../../nodes/engine/quorum/decide';
import type { QuorumProgress, RequestStatus } from '../../../nodes/engine/quorum/types';
import { by, end, policyOf, request, SOON, START, twoOfThree } from './policies';

const strict = policyOf([twoOfThree]);
const lenient = policyOf([twoOfThree], { oneDenialEnds: false });

describe('the answer that decided', () => {
	const answered = (
		...answers: Array<[string, RequestStatus, number?, boolean?]>
	): QuorumProgress => ({
		level: 0,
		levelStartedAt: START,
		requests: answers.map(([person, status, respondedAt, reminder = false]) =>
			request(person, status, { respondedAt, reminder }),
		),
	});

	test('of approvals is the one that reached the number', () => {
		const all = answered(['1', 'approved', 30], ['2', 'approved', 10], ['3', 'approved', 20]);
		expect(decide(strict, all, SOON)).toMatchObject(by('3'));
	});

	test('of denials is the first, if one is enough', () => {
		const all = answered(['1', 'denied', 30], ['2', 'denied', 10], ['3', 'approved', 20]);
		expect(decide(strict, all, SOON)).toMatchObject(by('2'));
	});

	test('of denials is the one that left too few people, if they are counted', () => {
		const all = answered(['1', 'denied', 30], ['2', 'denied', 10], ['3', 'denied', 20]);
		expect(decide(lenient, all, SOON)).toMatchObject(by('3'));
	});

	test('is the last denial if requests that were not sent did the rest', () => {
		const people = ['1', '2', '3', '4', '5', '6'];
		const six = policyOf([{ ...twoOfThree, people }], { oneDenialEnds: false });
		const all = answered(
			['1', 'denied', 30],
			['2', 'denied', 10],
			['3', 'denied', 20],
			['4', 'approved', 40],
			['5', 'failed'],
			['6', 'unclear'],
		);
		expect(decide(six, all, SOON)).toEqual({ ...end('denied'), ...by('1') });
	});

	test('without a time counts as the last, and equal times in the order of the people', () => {
		const untimed = answered(['1', 'approved'], ['2', 'approved', 10], ['3', 'approved', 20]);
		expect(decide(strict, untimed, SOON)).toMatchObject(by('3'));
		const equal = answered(['3', 'denied', 5], ['2', 'denied', 5], ['1', 'approved', 1]);
		expect(decide(strict, equal, SOON)).toMatchObject(by('2'));
		const none = answered(['3', 'approved'], ['2', 'approved'], ['1', 'approved']);
		expect(decide(strict, none, SOON)).toMatchObject(by('2'));
	});

	test('of one person is the earlier one, and of equal times the first request', () => {
		const later = answered(
			['1', 'denied', 20],
			['1', 'denied', 10, true],
			['2', 'pending'],
			['3', 'pending'],
		);
		expect(decide(strict, later, SOON)).toMatchObject(by('1', true));
		const equal = answered(
			['1', 'denied', 10, true],
			['1', 'denied', 10],
			['2', 'pending'],
			['3', 'pending'],
		);
		expect(decide(strict, equal, SOON)).toMatchObject(by('1', false));
	});

	test('is the denial of a person who approved before', () => {
		const changed = answered(
			['1', 'approved', 10],
			['1', 'denied', 20, true],
			['2', 'pending'],
			['3', 'pending'],
		);
		expect(decide(strict, changed, SOON)).toMatchObject(by('1', true));
	});
});

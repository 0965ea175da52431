import { decide } from '../../../nodes/engine/quorum/decide';
import type { QuorumProgress, RequestStatus } from '../../../nodes/engine/quorum/types';
import { decidedBy, end, policyOf, request, SOON, START, twoOfThree } from './policies';

const strict = policyOf([twoOfThree]);
const lenient = policyOf([twoOfThree], { oneDenialEnds: false });

describe('deciding answer', () => {
	const progressWithAnswers = (
		...answers: Array<[string, RequestStatus, number?, boolean?]>
	): QuorumProgress => ({
		level: 0,
		levelStartedAt: START,
		requests: answers.map(([person, status, respondedAt, reminder = false]) =>
			request(person, status, { respondedAt, reminder }),
		),
	});

	test('the deciding approval is the one that reaches the needed number', () => {
		const progress = progressWithAnswers(
			['1', 'approved', 30],
			['2', 'approved', 10],
			['3', 'approved', 20],
		);
		expect(decide(strict, progress, SOON)).toMatchObject(decidedBy('3'));
	});

	test('the first denial decides if one denial is enough', () => {
		const progress = progressWithAnswers(
			['1', 'denied', 30],
			['2', 'denied', 10],
			['3', 'approved', 20],
		);
		expect(decide(strict, progress, SOON)).toMatchObject(decidedBy('2'));
	});

	test('the deciding denial is the one after which too few people remain', () => {
		const progress = progressWithAnswers(
			['1', 'denied', 30],
			['2', 'denied', 10],
			['3', 'denied', 20],
		);
		expect(decide(lenient, progress, SOON)).toMatchObject(decidedBy('3'));
	});

	test('the last denial decides if unsent requests leave too few people', () => {
		const people = ['1', '2', '3', '4', '5', '6'];
		const six = policyOf([{ ...twoOfThree, people }], { oneDenialEnds: false });
		const progress = progressWithAnswers(
			['1', 'denied', 30],
			['2', 'denied', 10],
			['3', 'denied', 20],
			['4', 'approved', 40],
			['5', 'failed'],
			['6', 'unclear'],
		);
		expect(decide(six, progress, SOON)).toEqual({ ...end('denied'), ...decidedBy('1') });
	});

	test('answers without a time come last, and equal times keep the order of the people', () => {
		const untimed = progressWithAnswers(
			['1', 'approved'],
			['2', 'approved', 10],
			['3', 'approved', 20],
		);
		expect(decide(strict, untimed, SOON)).toMatchObject(decidedBy('3'));
		const equal = progressWithAnswers(['3', 'denied', 5], ['2', 'denied', 5], ['1', 'approved', 1]);
		expect(decide(strict, equal, SOON)).toMatchObject(decidedBy('2'));
		const none = progressWithAnswers(['3', 'approved'], ['2', 'approved'], ['1', 'approved']);
		expect(decide(strict, none, SOON)).toMatchObject(decidedBy('2'));
	});

	test('the earlier of two answers of one person decides, at equal times the first request', () => {
		const later = progressWithAnswers(
			['1', 'denied', 20],
			['1', 'denied', 10, true],
			['2', 'pending'],
			['3', 'pending'],
		);
		expect(decide(strict, later, SOON)).toMatchObject(decidedBy('1', true));
		const equal = progressWithAnswers(
			['1', 'denied', 10, true],
			['1', 'denied', 10],
			['2', 'pending'],
			['3', 'pending'],
		);
		expect(decide(strict, equal, SOON)).toMatchObject(decidedBy('1', false));
	});

	test('the denial of a person who approved before decides', () => {
		const changed = progressWithAnswers(
			['1', 'approved', 10],
			['1', 'denied', 20, true],
			['2', 'pending'],
			['3', 'pending'],
		);
		expect(decide(strict, changed, SOON)).toMatchObject(decidedBy('1', true));
	});
});

// Protects the output of a decision by several people: it names the one answer that decided, by the times of the answers.
import { decide } from '../../../nodes/engine/quorum/decide';
import type { QuorumProgress, RequestStatus } from '../../../nodes/engine/quorum/types';
import { decidedBy, end, buildPolicy, requestTo, SOON, START, twoOfThree } from './policies';

/** One denial ends the level. */
const strictPolicy = buildPolicy([twoOfThree]);
/** Denials are counted. */
const lenientPolicy = buildPolicy([twoOfThree], { oneDenialEnds: false });

describe('deciding answer', () => {
	/** Returns a progress with these requests. `respondedAt` is a number that only gives the order. */
	const progressWithAnswers = (
		...answers: Array<
			[person: string, status: RequestStatus, respondedAt?: number, isReminder?: boolean]
		>
	): QuorumProgress => ({
		level: 0,
		levelStartedAt: START,
		requests: answers.map(([person, status, respondedAt, isReminder = false]) =>
			requestTo(person, status, { respondedAt, reminder: isReminder }),
		),
	});

	test('the deciding approval is the one that reaches the needed number', () => {
		const progress = progressWithAnswers(
			['1', 'approved', 30],
			['2', 'approved', 10],
			['3', 'approved', 20],
		);
		expect(decide(strictPolicy, progress, SOON)).toMatchObject(decidedBy('3'));
	});

	test('the first denial decides if one denial is enough', () => {
		const progress = progressWithAnswers(
			['1', 'denied', 30],
			['2', 'denied', 10],
			['3', 'approved', 20],
		);
		expect(decide(strictPolicy, progress, SOON)).toMatchObject(decidedBy('2'));
	});

	test('the deciding denial is the one that leaves too few people who can approve', () => {
		const progress = progressWithAnswers(
			['1', 'denied', 30],
			['2', 'denied', 10],
			['3', 'denied', 20],
		);
		expect(decide(lenientPolicy, progress, SOON)).toMatchObject(decidedBy('3'));
	});

	test('the last denial decides if too few people can approve because requests were not sent', () => {
		const people = ['1', '2', '3', '4', '5', '6'];
		const sixPeople = buildPolicy([{ ...twoOfThree, people }], { oneDenialEnds: false });
		const progress = progressWithAnswers(
			['1', 'denied', 30],
			['2', 'denied', 10],
			['3', 'denied', 20],
			['4', 'approved', 40],
			['5', 'failed'],
			['6', 'unclear'],
		);
		expect(decide(sixPeople, progress, SOON)).toEqual({ ...end('denied'), ...decidedBy('1') });
	});

	test('answers without a time come last, and answers with equal times are in the order of the people', () => {
		const oneWithoutTime = progressWithAnswers(
			['1', 'approved'],
			['2', 'approved', 10],
			['3', 'approved', 20],
		);
		expect(decide(strictPolicy, oneWithoutTime, SOON)).toMatchObject(decidedBy('3'));
		const equalTimes = progressWithAnswers(
			['3', 'denied', 5],
			['2', 'denied', 5],
			['1', 'approved', 1],
		);
		expect(decide(strictPolicy, equalTimes, SOON)).toMatchObject(decidedBy('2'));
		const noTimes = progressWithAnswers(['3', 'approved'], ['2', 'approved'], ['1', 'approved']);
		expect(decide(strictPolicy, noTimes, SOON)).toMatchObject(decidedBy('2'));
	});

	test('the earlier of two answers of one person decides, and the first request at equal times', () => {
		const reminderFirst = progressWithAnswers(
			['1', 'denied', 20],
			['1', 'denied', 10, true],
			['2', 'pending'],
			['3', 'pending'],
		);
		expect(decide(strictPolicy, reminderFirst, SOON)).toMatchObject(decidedBy('1', true));
		const equalTimes = progressWithAnswers(
			['1', 'denied', 10, true],
			['1', 'denied', 10],
			['2', 'pending'],
			['3', 'pending'],
		);
		expect(decide(strictPolicy, equalTimes, SOON)).toMatchObject(decidedBy('1', false));
	});

	test('a denial decides even if the person approved before', () => {
		const changedAnswer = progressWithAnswers(
			['1', 'approved', 10],
			['1', 'denied', 20, true],
			['2', 'pending'],
			['3', 'pending'],
		);
		expect(decide(strictPolicy, changedAnswer, SOON)).toMatchObject(decidedBy('1', true));
	});
});

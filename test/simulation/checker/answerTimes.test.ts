// Protects what the simulator proves about times: a result with another time than that of the service is found.
import type { NewEvent } from '../history';
import { checkAnswerTimes } from './answerTimes';
import { Verdict } from './verdict';

const executed: NewEvent = {
	type: 'executed',
	request: 1,
	status: 200,
	body: { approval_request: { uuid: 'a', processed_at: '2026-11-15T10:00:00Z' } },
};

/** Returns how many answers of an output are dated wrongly. */
function countWrong(item: Record<string, unknown>): number {
	const verdict = new Verdict();
	const output: NewEvent = { type: 'output', execution: '1', node: 'Next', items: [item] };
	checkAnswerTimes(
		[executed, output].map((event) => ({ at: 0, ...event })),
		verdict,
	);
	return verdict.violations.length;
}

it('a result has the time of the answer, as the service dates it', () => {
	expect(countWrong({ id: 'a', respondedAt: '2026-11-15T10:00:00.000Z' })).toBe(0);
	expect(countWrong({ id: 'a' })).toBe(0);
	expect(countWrong({ id: 'another', respondedAt: '2026-11-15T11:00:00.000Z' })).toBe(0);
	const wrong = { id: 'a', respondedAt: '2026-11-15T10:00:01.000Z' };
	expect(countWrong(wrong)).toBe(1);
	expect(countWrong({ decisions: [wrong] })).toBe(1);
});

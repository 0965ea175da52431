// Protects the time at which n8n's timer resumes a parked execution: after the poller, but in time for further requests.
import { chooseResumeTime } from '../../../nodes/engine/park/waitTimes';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** In this time before n8n's timer, only the timer resumes the execution. */
const WINDOW_MS = 75 * SECOND;
/** Time in which a resumed node polls before it is parked again. */
const RUN_MS = 5 * SECOND;

/** Returns when n8n's timers resume an execution that is parked at 0 until a limit, if nothing else resumes it. */
function timersUntil(limitAt: number, askBefore?: number): number[] {
	const timers: number[] = [];
	for (let now = 0; now < limitAt; now = timers.at(-1)! + RUN_MS)
		timers.push(chooseResumeTime(now, { endsAt: limitAt, askBefore }));
	return timers;
}

const LIMITS_MS = Array.from({ length: 400 }, (_, index) => (index + 1) * 7 * SECOND);

it('the timer comes after five minutes, or late enough after the end for the poller to resume first', () => {
	expect(timersUntil(4 * MINUTE)).toEqual([4 * MINUTE + 80 * SECOND]);
	for (const limitAt of LIMITS_MS) {
		const timers = timersUntil(limitAt);
		for (const [index, at] of timers.entries()) {
			const parkedMs = at - (index > 0 ? timers[index - 1]! + RUN_MS : 0);
			if (at <= limitAt) expect(parkedMs).toBe(5 * MINUTE);
			else expect(at - limitAt).toBe(80 * SECOND);
		}
	}
});

it('if people may have to be asked before the limit, the last timer before it comes in time to do so', () => {
	for (const limitAt of LIMITS_MS) {
		const timers = timersUntil(limitAt, limitAt);
		const before = timers.filter((at) => at < limitAt);
		if (limitAt < 230 * SECOND) expect(before).toEqual([]);
		else expect(limitAt - before.at(-1)!).toBe(80 * SECOND);
		for (const [index, at] of before.entries()) {
			const parkedMs = at - (index > 0 ? before[index - 1]! + RUN_MS : 0);
			expect(parkedMs).toBeGreaterThan(1.8 * WINDOW_MS);
			expect(parkedMs).toBeLessThanOrEqual(5 * MINUTE);
		}
		expect(timers.at(-1)! - limitAt).toBeGreaterThan(WINDOW_MS);
	}
});

it('an action that is due before the limit keeps its own timer', () => {
	expect(chooseResumeTime(0, { endsAt: MINUTE, askBefore: 20 * MINUTE })).toBe(
		MINUTE + 80 * SECOND,
	);
	expect(chooseResumeTime(0, { endsAt: MINUTE, askBefore: 5 * MINUTE })).toBe(MINUTE + 80 * SECOND);
});

import { perProcess } from '../n8n/perProcess';
import { TIMER_WINDOW_MS } from '../n8n/resumeTimer';

/**
 * Time after which n8n's own timer resumes a parked execution for another poll. Shared by `perProcess`, so that tests can set
 * another value.
 */
const times = perProcess('park times 1', () => ({ resumeAfterMs: 5 * 60_000 }));

/**
 * Time from the end of a wait to n8n's timer. In the last TIMER_WINDOW_MS before n8n's timer, the poller no longer resumes
 * the execution. The timer is therefore set more than TIMER_WINDOW_MS after the end of the wait.
 */
const RESUME_MARGIN_MS = TIMER_WINDOW_MS + 5000;

/** Shortest time to a timer that is set before a time limit. In at least half of this time the poller resumes the execution. */
const MIN_TIMER_MS = 2 * TIMER_WINDOW_MS;

/** Returns the short timer of parked executions, in milliseconds. */
export const shortTimerMs = (): number => times.resumeAfterMs;

/** A wait of at most this length blocks, because storing the execution is not worth it. */
export const SHORT_WAIT_MS = 20_000;

/**
 * Returns the time for n8n's own timer: `factor` times the short timer from now. If the wait ends by then, the time is the
 * end of the wait plus a margin, so that the poller can resume the execution first. Without a poller, the execution resumes
 * late by that margin. That would be too late if more people may have to be asked before `askBefore`: the last timer before
 * it is therefore set a margin earlier, if there is time.
 */
export function chooseResumeTime(
	now: number,
	{ endsAt, askBefore = Infinity }: { endsAt: number; askBefore?: number },
	factor = 1,
): number {
	const regularAt = now + Math.round(factor * times.resumeAfterMs);
	const timerAt = endsAt <= regularAt ? endsAt + RESUME_MARGIN_MS : regularAt;
	const lastAt = askBefore - RESUME_MARGIN_MS;
	if (lastAt < now + MIN_TIMER_MS) return timerAt;
	// The last timer but one leaves time for the last one, and ten seconds in which the resumed node polls.
	return Math.min(timerAt, lastAt <= regularAt ? lastAt : lastAt - MIN_TIMER_MS - 10_000);
}

/** Minimum polling interval by the age of a wait: a user who has taken an hour to decide can spare some seconds. */
const SLOWER_POLLING = [
	{ fromMs: 60 * 60_000, everyMs: 15_000 },
	{ fromMs: 15 * 60_000, everyMs: 10_000 },
	{ fromMs: 5 * 60_000, everyMs: 5000 },
];

/** Returns the polling interval of a wait of this age that started with `intervalMs`. */
export const pollIntervalAfter = (intervalMs: number, waitedMs: number): number =>
	Math.max(intervalMs, SLOWER_POLLING.find(({ fromMs }) => waitedMs >= fromMs)?.everyMs ?? 0);

/** Returns when the polling interval of a wait next becomes longer; `Infinity` if it no longer does. */
export const nextSlowdownAt = (since: number, now: number): number =>
	Math.min(...SLOWER_POLLING.map(({ fromMs }) => since + fromMs).filter((at) => at > now));

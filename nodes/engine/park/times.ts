import { perProcess } from '../n8n/perProcess';
import { TIMER_WINDOW_MS } from '../n8n/resumeTimer';

/** Time after which n8n's own timer resumes a parked execution for another poll. Tests replace the shared value. */
const times = perProcess('park times 1', () => ({ resumeAfterMs: 5 * 60_000 }));

/** The poller does not resume an execution within the timer's window, so the timer must be set later than that. */
const RESUME_MARGIN_MS = TIMER_WINDOW_MS + 5000;

/** Waits up to this limit block: they are not worth storing the execution. */
export const SHORT_WAIT_MS = 20_000;

/**
 * Returns when n8n's own timer resumes the execution. If the wait ends before the next regular time, a margin gives the poller
 * time to resume the execution first. Without a poller, the wait ends late by that margin.
 */
export const chooseResumeTime = (now: number, endsAt: number): number =>
	endsAt <= now + times.resumeAfterMs ? endsAt + RESUME_MARGIN_MS : now + times.resumeAfterMs;

/** Minimum polling interval by the age of a wait: a user who has taken an hour to decide can spare some seconds. */
const SLOWER_POLLING = [
	{ fromMs: 60 * 60_000, everyMs: 15_000 },
	{ fromMs: 15 * 60_000, everyMs: 10_000 },
	{ fromMs: 5 * 60_000, everyMs: 5000 },
];

/** Returns the polling interval of a wait of this age that started with `intervalMs`. */
export const slowDownPolling = (intervalMs: number, waitedMs: number): number =>
	Math.max(intervalMs, SLOWER_POLLING.find(({ fromMs }) => waitedMs >= fromMs)?.everyMs ?? 0);

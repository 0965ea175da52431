import { perProcess } from '../n8n/perProcess';
import { TIMER_WINDOW_MS } from '../n8n/resumeTimer';

/** When parked executions look again by themselves. Tests put another time into the place that the process shares. */
const times = perProcess('park times 1', () => ({ resumeAfterMs: 5 * 60_000 }));

const RESUME_MARGIN_MS = TIMER_WINDOW_MS + 5000;

/** What takes no longer is not worth storing the execution for. */
export const SHORT_WAIT_MS = 20_000;

/**
 * Until when n8n lets an execution rest. What is over before the next look would be leaves time to be woken in; should nobody
 * be there to wake it, it is so much late.
 */
export const chooseResumeTime = (now: number, endsAt: number): number =>
	endsAt <= now + times.resumeAfterMs ? endsAt + RESUME_MARGIN_MS : now + times.resumeAfterMs;

/** From how long a wait on it is looked at how rarely: whoever took an hour to decide can spare some seconds. */
const SLOWER_POLLING = [
	{ fromMs: 60 * 60_000, everyMs: 15_000 },
	{ fromMs: 15 * 60_000, everyMs: 10_000 },
	{ fromMs: 5 * 60_000, everyMs: 5000 },
];

/** How often what has been waited for so long is asked after, where it is begun with this interval. */
export const slowDownPolling = (intervalMs: number, waitedMs: number): number =>
	Math.max(intervalMs, SLOWER_POLLING.find(({ fromMs }) => waitedMs >= fromMs)?.everyMs ?? 0);

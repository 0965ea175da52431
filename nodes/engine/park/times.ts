import { perProcess } from '../n8n/perProcess';
import { TIMER_WINDOW_MS } from '../n8n/resumeTimer';

/** When parked executions look again by themselves. Tests put another time into the place that the process shares. */
const times = perProcess('park times 1', () => ({ lookAgainMs: 5 * 60_000 }));

const MARGIN_MS = TIMER_WINDOW_MS + 5000;

/** What takes no longer is not worth storing the execution for. */
export const SHORT_MS = 20_000;

/**
 * Until when n8n lets an execution rest. What is over before the next look would be leaves time to be woken in; should nobody
 * be there to wake it, it is so much late.
 */
export const restUntil = (now: number, endsAt: number): number =>
	endsAt <= now + times.lookAgainMs ? endsAt + MARGIN_MS : now + times.lookAgainMs;

/** From how long a wait on it is looked at how rarely: whoever took an hour to decide can spare some seconds. */
const RARER = [
	{ fromMs: 60 * 60_000, everyMs: 15_000 },
	{ fromMs: 15 * 60_000, everyMs: 10_000 },
	{ fromMs: 5 * 60_000, everyMs: 5000 },
];

/** How often what has been waited for so long is asked after, where it is begun with this interval. */
export const rarer = (intervalMs: number, waitedMs: number): number =>
	Math.max(intervalMs, RARER.find(({ fromMs }) => waitedMs >= fromMs)?.everyMs ?? 0);

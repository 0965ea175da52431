// Polls many things until each is finished: `Watcher` for triggers, `waitForAll` for operations that wait.
//
// How a trigger uses it: `new Watcher(hooks, options, staticData[key], typedIds)`, where `save` does `staticData[key] = snapshot`
// (a new object on the top level, which is what n8n notices) and `emit` resolves when n8n's done promise does. Then `run(signal)`
// without awaiting it. It saves at once and emits only later, so `trigger()` can return first. A webhook calls `add` on the running
// watcher and puts its `snapshot()` into its own static data before it answers. Closing is giving the signal.
export { systemClock, Watcher } from './loop';
export type { WatcherStop, Watched } from './loop';
export { Pace, QUIET_MS } from './pace';
export { fitsAsData, problemWith } from './newId';
export { readSnapshot, withoutSetAside } from './saved';
export type { Unrecognized } from './saved';
export type {
	AddResult,
	Clock,
	Ended,
	NewId,
	IdReport,
	SavedId,
	IdSnapshot,
	PollResult,
	WatchOptions,
} from './types';
export { waitedSeconds } from './types';
export { waitForAll } from './wait';

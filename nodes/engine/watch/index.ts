// Polls many IDs until each has ended: `Watcher` for triggers, `waitForAll` for operations that wait.
//
// A trigger calls `new Watcher(hooks, options, staticData[key], typedIds)`. Its `save` assigns `staticData[key] = snapshot`:
// n8n 2.41.1 notices only assignments on the top level. Its `emit` resolves when n8n's done promise does. The trigger then
// calls `run(signal)` without awaiting it: `run` saves at once and emits later, so `trigger()` can return first. A webhook
// calls `add` on the running watcher and writes its `snapshot()` into its own static data before it answers. Aborting the
// signal closes the watcher.
export { systemClock, Watcher } from './loop';
export type { WatcherStop, Watched } from './loop';
export { Pace, QUIET_MS } from './pace';
export { fitsAsData, problemWith } from './newId';
export { readSnapshot, withoutSetAside } from './saved';
export type { UnrecognizedHandler } from './saved';
export type {
	AddResult,
	Clock,
	EndedId,
	NewId,
	IdReport,
	SavedId,
	IdSnapshot,
	PollFailure,
	PollResult,
	RejectedCredential,
	WatchOptions,
} from './types';
export { waitedSeconds } from './types';
export { waitForAll } from './waitForIds';

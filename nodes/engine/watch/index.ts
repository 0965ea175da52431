// Polls many IDs until each has ended: `Watcher` for triggers, `waitForIds` for operations that wait.
//
// A trigger calls `new Watcher(hooks, options, restoredIds, enteredIds)`, where `restoredIds` merges the snapshot in static data with
// the state of the previous trigger in this process. The `save` hook writes the stored state of all triggers of the
// workflow, not only this watcher's snapshot. It assigns each state at the top level of static data, because n8n 2.41.1
// notices no other changes. The `emit` hook resolves when n8n's done promise does. The trigger then calls `run(signal)`
// without awaiting it: `run` saves at once and emits later, so `trigger()` can return first. The webhook calls `add` on the
// running watcher, and writes the state to the static data of its own context before it answers. Aborting the signal closes
// the watcher.
export { systemClock, Watcher } from './watcher';
export type { WatcherStop, WatchedId } from './watcher';
export { Pace, REPORT_AGAIN_AFTER_MS } from './pace';
export { fitsAsData, validateNewId } from './newId';
export { readSnapshot, withoutSetAside } from './idSnapshot';
export type { RestoredIds, UnrecognizedHandler } from './idSnapshot';
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
export { waitForIds } from './waitForIds';

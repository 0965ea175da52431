// Polls many things until each is finished: `Watcher` for triggers, `waitForAll` for operations that wait.
export { systemClock, Watcher } from './loop';
export type { Stopped, Watched, WatchHooks } from './loop';
export { problemWith } from './register';
export { WATCH_DEFAULTS } from './types';
export type {
	Added,
	Answer,
	Clock,
	Ended,
	NewId,
	Report,
	SavedId,
	Snapshot,
	WatchOptions,
} from './types';
export { waitForAll } from './wait';
export type { Waited } from './wait';

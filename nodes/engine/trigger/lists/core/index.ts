// Follows lists of a service: `Follower` starts the workflow once for each change of their records. Pure, as `ids/core` is: the caller supplies the clock, requests, saving and starting.
export { Follower } from './loop';
export { newerSnapshot, readStoredSnapshot, toStoredSnapshot } from './saved';
export type { ListSnapshot } from './saved';
export { deriveEvents, eventTimeOf } from './derivedEvents';
export type {
	RecordChange,
	ChangeSchema,
	FollowerStop,
	FollowHooks,
	FollowOptions,
	ListReport,
	FoundDefinitions,
	ListPage,
	ListDefinition,
	WorkflowStart,
} from './types';
export { FOLLOW_DEFAULTS } from './types';

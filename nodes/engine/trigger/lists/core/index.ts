// Follows lists of a service: `Follower` starts the workflow once for each change of their records. Pure, as `ids/core` is: clock,
// requests, saving and starting are passed in.
export { Follower } from './loop';
export type { FollowerStop } from './loop';
export { newerSnapshot, readListColumn, toListColumn } from './saved';
export type { ListSnapshot } from './saved';
export { deriveEvents, eventTimeOf } from './derivedEvents';
export type {
	RecordChange,
	Facets,
	FollowHooks,
	FollowOptions,
	ListReport,
	FoundSources,
	ListPage,
	Source,
	WorkflowStart,
} from './types';
export { FOLLOW_DEFAULTS } from './types';

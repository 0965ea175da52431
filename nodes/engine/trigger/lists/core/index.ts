// Follows lists of a service: `Follower` starts the workflow once for each change of their records. Pure, as `ids/core` is: clock,
// requests, saving and starting are passed in.
export { Follower } from './loop';
export type { FollowStopped } from './loop';
export { newer, readColumn, toColumn } from './saved';
export type { FollowSnapshot } from './saved';
export { factsOf, timeOf } from './derivedEvents';
export type {
	Change,
	Facets,
	FollowHooks,
	FollowOptions,
	FollowReport,
	Found,
	Page,
	Source,
	Start,
} from './types';
export { FOLLOW_DEFAULTS } from './types';

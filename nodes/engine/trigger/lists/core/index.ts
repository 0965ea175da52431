// Follows lists of a service: `Follower` starts the workflow once for each change of their records. Pure, as `watch` is: the
// caller supplies the clock, requests, saving and starting.
//
// The path of a change: `Follower` polls each list that is due. `ListPoll` passes its pages to `TrackedList`, which compares
// every record with `KnownRecords` (`deriveEvents`) and lets `ListCursor` decide from where the next poll reads. The changes
// go to `Outbox`, which combines them into starts and requests each until n8n confirms it. `ListSnapshot` holds all of this
// state across restarts. A record's change is seen, then unrequested, then requested (known and pending), then confirmed.
//
// After a restart, `Outbox` collects the records of each unconfirmed start as they are read again, and requests the start with
// its old key.
export { Follower } from './follower';
export { newerSnapshot, readStoredSnapshot, toStoredSnapshot } from './listSnapshot';
export type { ListSnapshot } from './listSnapshot';
export { deriveEvents } from './derivedEvents';
export { eventTimeOf } from './recordAge';
export type {
	RecordChange,
	ChangeSchema,
	FollowerStop,
	FollowOptions,
	ListReadResult,
	ListReport,
	DiscoveredLists,
	ListPage,
	ListDefinition,
	WorkflowStart,
} from './types';

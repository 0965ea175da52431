import type { IDataObject } from 'n8n-workflow';

import type { Clock, PollFailure } from '../../../watch';
import { REPEAT_STARTS_FOR_MS } from '../../../watch/types';

/**
 * An event that happens to a record once, such as its creation or its check-in. The first of
 * `dateFields` that holds a value counts.
 */
export interface OneTimeEvent {
	kind: string;
	dateFields: readonly string[];
	/**
	 * Marks the creation of the record. A new record does not count as updated, even if the user did not select its creation;
	 * `deriveEvents` has the exceptions.
	 */
	isCreation?: true;
}

/** The events that a list's records can show. Each `kind` is a value that the user selects under 'Trigger On'. */
export interface ChangeSchema {
	/** At most five (`MAX_ONE_TIME_EVENTS`): the saved state of a record has one bit for each. */
	oneTimeEvents: readonly OneTimeEvent[];
	/** The status field; a new value is reported as this kind. */
	status?: { kind: string; field: string };
	/** The kind that reports any other change. */
	updated?: string;
	/** Fields whose new value is not a change: counters, and fields that move with a counter. */
	ignored?: readonly string[];
	/** The field with the time of the last change (the stamp), if the service has one. */
	stamp?: string;
}

/** One list of a service that a trigger follows, such as the registrations of an event. */
export interface ListDefinition {
	/** Stable ID, unique within the trigger: saved state and start keys contain it. */
	key: string;
	/** Display name for messages. */
	name: string;
	changeSchema: ChangeSchema;
	/**
	 * Whether the service can filter the list by 'changed since': it then returns only changed records, so an unknown record has
	 * changed. A list without that filter is a compared list: each poll reads all of it and compares it with the known records.
	 */
	isFiltered: boolean;
	/**
	 * Whether the state of every record is kept, and not only of records that the overlap may return again. A compared list
	 * always keeps the state of every record.
	 */
	keepsAll?: true;
	/**
	 * Set if the trigger discovered the list and the user did not select it: the category under which it was discovered. The
	 * list may be older than its discovery, so its changes count from the previous round that found lists of that category.
	 */
	discoveredAs?: string;
	/**
	 * For messages: the user's choice that does not exist if the service does not find the list, such as `{ noun: 'event',
	 * name: 'event 1004' }`. Missing if the list can be absent although the choice exists.
	 */
	missingOwner?: { noun: string; name: string };
	identify: (record: IDataObject) => unknown;
	/** Whether the user's filters include a record. */
	matches?: (record: IDataObject) => boolean;
}

/** A change of a record, as the workflow receives it. */
export interface RecordChange<Followed extends ListDefinition = ListDefinition> {
	list: Followed;
	/** One of the kinds in the list's `changeSchema`. */
	kind: string;
	id: string;
	record: IDataObject;
}

/** A start of the workflow, for one change or for a batch. */
export interface WorkflowStart<Followed extends ListDefinition = ListDefinition> {
	/** Idempotency key. It is derived from the changes, so the same start has the same key after a restart. */
	key: string;
	changes: Array<RecordChange<Followed>>;
}

/** One page of a list. */
export interface ListPage {
	records: IDataObject[];
	/** The Date header of the response, in milliseconds since 1970. */
	date?: number;
}

/** The lists to follow in this round. */
export interface DiscoveredLists<Followed extends ListDefinition = ListDefinition> {
	lists: Followed[];
	/** The Date header of the response, if discovery sent a request. */
	date?: number;
}

/** A problem to report to the user, once per episode. */
export type ListReport =
	/** The service is unavailable. Reported again only after it has worked for ten minutes. */
	| { kind: 'unavailable'; message: string }
	/**
	 * One list no longer exists (`isGone`), or the service rejects requests for it alone. The other lists are still
	 * followed.
	 */
	| { kind: 'listFailed'; list?: ListDefinition; isGone: boolean; message: string }
	/** A list may be incomplete. */
	| { kind: 'incomplete'; list: ListDefinition; message: string }
	/** Records have no date in these fields, so the trigger cannot distinguish new records from old ones. */
	| { kind: 'undated'; list: ListDefinition; fields: readonly string[] }
	/** A compared list has more records than the trigger can keep state of. */
	| { kind: 'tooManyRecords'; list: ListDefinition; maxRecords: number }
	/** The service's clock was set back. Reported at most once a day. */
	| { kind: 'clockSetBack'; byMs: number }
	/**
	 * A change appeared later than its stamp says, by more than the overlap. Regular polls miss such changes; the wide poll
	 * finds those up to two hours late.
	 */
	| { kind: 'lateChange'; list: ListDefinition; byMs: number }
	/** Changes from before `startFrom`, which start nothing. */
	| { kind: 'changesIgnored'; ids: string[] }
	/**
	 * Changes that start the workflow after a restart, although they happened long before it: n8n was off, or its database
	 * was restored from a backup. `byMs`: age of the oldest.
	 */
	| { kind: 'changesLate'; ids: string[]; byMs: number }
	/** Starts that n8n never confirmed and that have expired: they may or may not have run, and are not requested again. */
	| { kind: 'startsUnclear'; ids: string[] }
	/** n8n rejects starts of the workflow. */
	| { kind: 'startsRejected'; message: string };

/** Result of reading a list. */
export type ListReadResult =
	/** The list was read to its end. `warning` says why it may be incomplete nevertheless. */
	{ kind: 'complete'; warning?: string } | PollFailure;

/** The I/O that a follower needs. */
export interface FollowHooks<Followed extends ListDefinition = ListDefinition> {
	/** Discovers the lists to follow, or returns why that failed. Called at the beginning of each round. */
	discoverLists(signal: AbortSignal): Promise<DiscoveredLists<Followed> | PollFailure>;
	/**
	 * Reads a list to its end, filtered by 'changed since' if `since` is given. Passes every page to `onPage`, also an empty
	 * one, and awaits `onPage` before it reads the next page.
	 */
	readList(
		list: Followed,
		since: number | undefined,
		onPage: (page: ListPage) => Promise<void>,
		signal: AbortSignal,
	): Promise<ListReadResult>;
	/**
	 * Starts the workflow. Resolves when the run has ended, or at once if n8n has the key already. Rejects if the workflow was
	 * not started; the follower then retries.
	 */
	emit(start: WorkflowStart<Followed>): Promise<unknown>;
	/** Marks the follower's snapshot to be saved together with the next start. */
	save(): void;
	report(report: ListReport): void;
	/** Called after each round, unless the service rejected the credential. */
	onRoundEnd?(): void;
	/** Resolves after `ms`; rejects when the signal aborts. */
	sleep(ms: number, signal: AbortSignal): Promise<unknown>;
	clock?: Clock;
	random?: () => number;
}

/** Why a follower stopped. */
export interface FollowerStop {
	/** The service's message, if it rejected the credential. */
	credentialRejectionMessage?: string;
}

/** Settings of a follower. */
export interface FollowOptions {
	/** The kinds of changes that start the workflow. */
	kinds: ReadonlySet<string>;
	/** Prefix of all start keys: the workflow and the node. */
	startKeyPrefix: string;
	/** Time between the beginnings of two rounds. */
	intervalMs: number;
	/** How far each poll reaches back before the cursor. */
	overlapMs: number;
	/** Whether records that exist when following begins start the workflow, too. */
	includeExisting: boolean;
	/** Whether all changes of a round start the workflow once, as a batch. */
	batchesChanges: boolean;
	/** How many starts may be unconfirmed at the same time. */
	maxUnconfirmed: number;
	/** How many records the follower keeps state of. */
	maxKnown: number;
	/**
	 * How long an unconfirmed start is requested again after a restart. During this time, n8n is certain to recognize the
	 * start's key. The watcher of IDs has the same option.
	 */
	repeatStartsForMs: number;
	/** The longest pause between rounds while the service is unavailable. */
	longestPauseMs: number;
	/** Changes before this moment of our wall clock start nothing. The watcher of IDs has the same option. */
	startFrom?: number;
	/** Changes that happened longer before a restart than this are reported; undefined if none is. */
	reportOlderThanMs?: number;
}

/** Defaults of the optional settings. */
export const FOLLOW_DEFAULTS = {
	intervalMs: 60_000,
	overlapMs: 120_000,
	includeExisting: false,
	batchesChanges: false,
	maxUnconfirmed: 10,
	maxKnown: 10_000,
	repeatStartsForMs: REPEAT_STARTS_FOR_MS,
	longestPauseMs: 600_000,
} as const satisfies Partial<FollowOptions>;

/**
 * Wall-clock and monotonic time. Pacing uses the monotonic clock, so that setting the computer's clock neither delays nor
 * hurries polls.
 */
export interface Clock {
	/** Wall-clock time in milliseconds, for values that users read or that outlive the process. */
	now(): number;
	/** Milliseconds that never decrease, from an arbitrary starting point. */
	monotonic(): number;
}

/** One moment on both clocks. */
export interface ClockReading {
	wallMs: number;
	monotonicMs: number;
}

/**
 * The result of polling one ID, in terms common to all services. The watcher decides by `kind` alone; `failure` and
 * `isPermanent` are for callers.
 */
export type PollResult =
	/**
	 * Not finished. `note` is the present state; it becomes the result if the deadline ends the ID soon after. `message` says
	 * that the state is unknown, so that it only counts as not finished. It is reported once.
	 */
	| { kind: 'pending'; note?: unknown; message?: string }
	/** Finished: the state is final. `endedAgoMs`: for how long, by the service's clock, if the service says so. */
	| { kind: 'finished'; outcome: string; result?: unknown; endedAgoMs?: number }
	/**
	 * Finished according to the service, but a required part of the result is missing and may still arrive. Three in a row
	 * end the ID.
	 */
	| { kind: 'doubtful'; outcome: string; result?: unknown; endedAgoMs?: number }
	| PollFailure;

/** Why a poll returned no state of an ID or list: the service does not know it (`missing`), or the request failed. */
export type PollFailure =
	/** The service does not know the ID or list. Three such results in a row end an ID with the outcome `gone`. */
	| { kind: 'missing' }
	/** The service is rate-limited: all polls slow down. */
	| { kind: 'rateLimited'; message?: string; retryAfterMs?: number }
	/** The service is unavailable: it fails or cannot be reached. */
	| { kind: 'unavailable'; message: string; retryAfterMs?: number }
	/** The service rejects requests about this ID or list, which is then polled less and less often. Others may work. */
	| { kind: 'failed'; message: string; failure?: Error }
	/**
	 * An unrecognized response. If other IDs get good results in the same time, the response concerns this ID alone. The ID
	 * is then polled less and less often, and three such responses in a row end it if they name an outcome. If no other ID
	 * gets good results, the service counts as unavailable.
	 */
	| { kind: 'unrecognized'; message: string; outcome?: string; result?: unknown }
	| RejectedCredential;

/** A result that shows that the service works; `missing` does, too. */
export type GoodResult = Extract<
	PollResult,
	{ kind: 'pending' | 'finished' | 'doubtful' | 'missing' }
>;

/** A result that may concern the ID alone or the whole service. */
export type BadResult = Extract<
	PollFailure,
	{ kind: 'failed' | 'unrecognized' | 'credentialRejected' }
>;

/** A failure of the whole service. */
export interface ServiceFault {
	kind: Exclude<PollFailure['kind'], 'missing' | 'credentialRejected'>;
	message?: string;
	retryAfterMs?: number;
}

/** The service rejects the credential. The whole watcher stops, unless other IDs got good results a moment ago. */
export interface RejectedCredential {
	kind: 'credentialRejected';
	message: string;
	failure?: Error;
	/** Whether the service says that the rejection is permanent, as for a suspended account. */
	isPermanent?: boolean;
}

/** An ID to watch, with the data that is returned with its result. */
export interface NewId {
	id: string;
	/** Arbitrary data, up to 1 kB as JSON. */
	data?: unknown;
	/** The person who is expected to answer, for services that can check who answered. */
	subject?: string;
}

/**
 * State of one ID as it is stored across restarts. Plain JSON. Snapshots share the object, so only the register and the
 * state machine may change it.
 */
export interface SavedId {
	readonly id: string;
	/** Wall-clock time at which the ID was added. */
	readonly addedAt: number;
	/** Number of polls. The number may be a few too low after a restart, since a poll alone does not cause a save. */
	polls: number;
	/** Whether the service ever reported the ID as pending. */
	seenOutstanding?: true;
	/**
	 * Whether the ID was submitted to the webhook. An ID that was only entered is dropped once it is removed from the node.
	 */
	submitted?: true;
	data?: unknown;
	subject?: string;
	/** The last `WatchOptions.startFrom` with which the ID was seen outstanding. */
	followedFrom?: number;
	/** How the ID ended; absent while the ID is watched. Stored until n8n confirms the start of the workflow. */
	end?: {
		outcome: string;
		/** Wall-clock time, as is `requestedAt`. */
		endedAt: number;
		result?: unknown;
		trouble?: string;
		/** Time of the first request to start the workflow that n8n may have carried out; absent if there is none. */
		requestedAt?: number;
		/**
		 * Set when the ID was given up and reported: it ended before `startFrom`, or it is unknown whether n8n started the
		 * workflow, and another request might now start it twice. The value is the ID's source at that time: `entered` if the ID was entered in the node,
		 * `submitted` if only the webhook had received it. The name is part of the stored state.
		 */
		reportedAs?: 'entered' | 'submitted';
	};
}

/** State of a watcher that must survive a restart, as plain JSON. */
export interface IdSnapshot {
	version: 1;
	/** Watched IDs, ended ones whose start is not confirmed, and those that were given up. */
	ids: SavedId[];
	/**
	 * The IDs whose start is confirmed, oldest first. Plain strings, because n8n 2.41.1 wraps every object in static data in a
	 * proxy, for every execution.
	 */
	confirmedIds: string[];
}

/** The end of one ID, with which the workflow starts. */
export interface EndedId {
	id: string;
	/** The service's outcome, or `gone` (missing three times), or `stillOutstanding` (the deadline). */
	outcome: string;
	result?: unknown;
	data?: unknown;
	subject?: string;
	seenOutstanding: boolean;
	/** Wall-clock time in milliseconds, as is `endedAt`. */
	addedAt: number;
	endedAt: number;
	polls: number;
	/**
	 * If the deadline ended the ID: the service's last message about it, the unknown state that it was in, or the message of the
	 * service's present fault.
	 */
	trouble?: string;
}

/** Returns for how long an ID was watched, in seconds with one decimal. */
export const waitedSeconds = ({ addedAt, endedAt }: EndedId): number =>
	Math.round((endedAt - addedAt) / 100) / 10;

/** The result of adding IDs: all were added, or none and the reason. */
export type AddResult =
	| { ok: true; added: number; alreadyWatched: number; alreadyEnded: number; watched: number }
	| { ok: false; reason: 'badId' | 'tooMuchData' | 'tooMany' | 'stopped'; message: string };

/** Reports for the user, each at most once per episode. */
export type IdReport =
	/** The service is unavailable. Reported once, until it has worked for ten minutes. */
	| { kind: 'unavailable'; message: string }
	/**
	 * It is unknown whether n8n started the workflow for these IDs, and the watcher no longer requests that start. Each ID
	 * is reported once.
	 */
	| { kind: 'startsUnclear'; ended: EndedId[] }
	/** IDs that ended before `startFrom`, which start nothing. Each ID is reported once. */
	| { kind: 'idsIgnored'; ended: EndedId[] }
	/** IDs that start the workflow after a restart, although they ended long before it. `byMs`: how long ago the first did. */
	| { kind: 'idsLate'; ended: EndedId[]; byMs: number }
	/** n8n does not start the workflow. Reported once. */
	| { kind: 'startsRejected'; message: string }
	/** The service reports an ID in a state that is unknown. Reported once. */
	| { kind: 'unknownState'; message: string }
	/** There are more IDs than can be polled at this interval. Reported once. */
	| { kind: 'overloaded'; watched: number; lateByMs: number };

export interface WatchOptions {
	/** The shortest time between two polls of one ID. */
	intervalMs: number;
	/** Concurrency limit of requests. */
	maxInFlight: number;
	/** How long an ID is watched; without limit if absent. */
	maxWaitMs?: number;
	/**
	 * The longest pause that the watcher chooses by itself while the service is unavailable. A pause that the service
	 * requests may be longer.
	 */
	longestPauseMs: number;
	maxWatched: number;
	/** How many IDs with a confirmed start stay known, besides those that are still entered in the node. */
	maxKnownEnded: number;
	/**
	 * After a restart, an unconfirmed start is requested again for this long, counted from its first request. Within this
	 * time n8n still knows the deduplication key of a start that it made.
	 */
	repeatStartsForMs: number;
	/** IDs that were added before this wall-clock time, and ended before it, start nothing. */
	startFrom?: number;
	/** Restored IDs that ended longer than this before the watcher was created are reported; undefined if none is. */
	reportOlderThanMs?: number;
	/** Whether the first good result ends an ID. A pending ID then ends with the outcome `stillOutstanding`. */
	endsWhilePending?: boolean;
	/** How many starts are requested in one batch, so that thousands of IDs that end together do not overload n8n. */
	startBatchSize: number;
}

/**
 * How long an unconfirmed start is requested again after a restart. n8n drops a second start while it has the deduplication
 * key of the first, and deletes the key with the execution. So this assumes that n8n keeps executions for at least this
 * time.
 */
export const REPEAT_STARTS_FOR_MS = 72 * 3_600_000;

export const WATCH_DEFAULTS: WatchOptions = {
	intervalMs: 2000,
	maxInFlight: 10,
	longestPauseMs: 60_000,
	maxWatched: 10_000,
	maxKnownEnded: 10_000,
	repeatStartsForMs: REPEAT_STARTS_FOR_MS,
	startBatchSize: 10,
};

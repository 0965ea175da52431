import { REPEAT_STARTS_FOR_MS } from './startLedger';

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
	/** Not finished. `note` is the present state; it becomes the result if the deadline ends the ID soon after. */
	| { kind: 'pending'; note?: unknown }
	/** Finished: the state is final. */
	| { kind: 'finished'; outcome: string; result?: unknown }
	/**
	 * Finished according to the service, but a required part of the result is missing and may still arrive. Three in a row
	 * end the ID.
	 */
	| { kind: 'doubtful'; outcome: string; result?: unknown }
	| PollFailure;

/** Why a poll of an ID, or the reading of a list, got no response that can be used. */
export type PollFailure =
	/** Unknown to the service. Three in a row end an ID with the outcome `gone`. */
	| { kind: 'missing' }
	/** The service is rate-limited: all polls slow down. */
	| { kind: 'rateLimited'; message?: string; retryAfterMs?: number }
	/** The service is unavailable: it fails or cannot be reached. */
	| { kind: 'unavailable'; message: string; retryAfterMs?: number }
	/** The service rejects requests about this ID or list; others may work. It is polled less and less often. */
	| { kind: 'failed'; message: string; failure?: Error }
	/**
	 * An unrecognized response. If other IDs get good results in the same time, it concerns this ID alone: the ID is polled
	 * less and less often, and three in a row end it if they name an outcome. Otherwise the service counts as unavailable.
	 */
	| { kind: 'unrecognized'; message: string; outcome?: string; result?: unknown }
	| RejectedCredential;

/** A result that shows that the service works. */
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
	/** The person who is expected to answer, for services that can check it. */
	subject?: string;
}

/**
 * State of one ID as it is stored across restarts. Plain JSON. Snapshots share the object, so only the register and the
 * state machine may change it.
 */
export interface SavedId {
	readonly id: string;
	/** Wall-clock time at which it was added. */
	readonly addedAt: number;
	/** Number of polls. It may be a few too low after a restart, since polling alone does not save. */
	polls: number;
	/** Whether the service ever reported it as pending. */
	seenOutstanding?: true;
	/** Whether it was submitted to the webhook. An ID that was only entered in the node is dropped once it is removed there. */
	submitted?: true;
	data?: unknown;
	subject?: string;
	/** How it ended; absent while it is watched. Stored until n8n confirms the start of the workflow. */
	end?: {
		outcome: string;
		/** Wall-clock time, as is `requestedAt`. */
		endedAt: number;
		result?: unknown;
		trouble?: string;
		/** When the start of the workflow was first requested; absent if it was not, or if n8n rejected the request. */
		requestedAt?: number;
		/**
		 * Set when the ID was given up and reported: it is unknown whether n8n started the workflow, and another request
		 * might now start it twice. `entered` if the ID was entered in the node at that time, `submitted` if only the webhook
		 * had received it.
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

/** How one ID ended; the workflow starts with it. */
export interface EndedId {
	id: string;
	/** The service's outcome, or `gone` (missing three times), or `stillOutstanding` (the deadline). */
	outcome: string;
	result?: unknown;
	data?: unknown;
	subject?: string;
	seenOutstanding: boolean;
	/** Wall-clock time in milliseconds, as is `finishedAt`. */
	firstSeen: number;
	finishedAt: number;
	polls: number;
	/** The service's last message about the ID, or the fault of the service, when the deadline came. */
	trouble?: string;
}

/** Returns for how long an ID was watched, in seconds with one decimal. */
export const waitedSeconds = ({ firstSeen, finishedAt }: EndedId): number =>
	Math.round((finishedAt - firstSeen) / 100) / 10;

/** The result of adding IDs: all were added, or none and the reason. */
export type AddResult =
	| { ok: true; added: number; known: number; finished: number; watched: number }
	| { ok: false; reason: 'badId' | 'tooMuchData' | 'tooMany' | 'stopped'; message: string };

/** Reports for the user, each at most once per episode. */
export type IdReport =
	/** The service is unavailable. Reported once, until it has worked for ten minutes. */
	| { kind: 'unavailable'; message: string }
	/**
	 * It is unknown whether n8n started the workflow for these IDs, and the watcher has stopped requesting it. Reported once
	 * for each.
	 */
	| { kind: 'startsUnclear'; ended: EndedId[] }
	/** n8n does not start the workflow. Reported once. */
	| { kind: 'startsRejected'; message: string }
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
	 * For how long after its first request an unconfirmed start is requested again after a restart. Within this time n8n
	 * still knows the deduplication key of a start that it made.
	 */
	repeatStartsForMs: number;
	/** How many starts are requested in one batch, so that thousands of IDs that end together do not overload n8n. */
	startsAtATime: number;
}

export const WATCH_DEFAULTS: WatchOptions = {
	intervalMs: 2000,
	maxInFlight: 10,
	longestPauseMs: 60_000,
	maxWatched: 10_000,
	maxKnownEnded: 10_000,
	repeatStartsForMs: REPEAT_STARTS_FOR_MS,
	startsAtATime: 10,
};

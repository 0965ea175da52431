import { REPEAT_STARTS_FOR_MS } from '../../common/core/startLedger';

/** Two clocks. Pacing goes by the monotonic one, so that setting the computer's clock neither stalls nor hurries it. */
export interface Clock {
	/** The time of day in milliseconds, for what people read and for what outlives the process. */
	now(): number;
	/** Milliseconds that only ever grow, from any starting point. */
	monotonic(): number;
}

/** One moment on both clocks. */
export interface ClockReading {
	now: number;
	at: number;
}

/**
 * What a service said about one id, in words that fit every service. A failure is for whoever puts one out: the watcher goes by
 * the kind alone.
 */
export type PollResult =
	/** Not finished. The note is what it looks like now; it becomes the result if the deadline comes soon, and first. */
	| { kind: 'pending'; note?: unknown }
	/** Finished for good. */
	| { kind: 'finished'; outcome: string; result?: unknown }
	/** Finished by the service's word, but without what has to come with it; that may come yet. Three in a row are the end. */
	| { kind: 'doubtful'; outcome: string; result?: unknown }
	/** Unknown to the service. Three in a row are the outcome `gone`. */
	| { kind: 'missing' }
	/** The service asks everybody to slow down. */
	| { kind: 'busy'; message?: string; retryAfterMs?: number }
	/** The service is out of order or out of reach. */
	| { kind: 'sick'; message: string; retryAfterMs?: number }
	/** The service will not be asked about this id; others may be well. It is asked more and more rarely. */
	| { kind: 'failed'; message: string; failure?: Error }
	/**
	 * Something that is no answer. If others are answered well in the same time, it is about this id alone: it is asked more
	 * and more rarely, and three in a row are its end if they name an outcome. Otherwise the service is out of order.
	 */
	| { kind: 'unreadable'; message: string; outcome?: string; result?: unknown }
	/** The credential is refused: the whole watcher stops, unless other ids were answered well a moment ago. */
	| {
			kind: 'refused';
			message: string;
			failure?: Error;
			/** Whether the service says that it stays so, as for a suspended account. */
			isPermanent?: boolean;
	  };

/** An id to watch, with what comes out again with its result. */
export interface NewId {
	id: string;
	/** Free data, up to 1 kB as JSON. */
	data?: unknown;
	/** Who is expected to answer, for services that can check it. */
	subject?: string;
}

/** What is known of an id, as it is kept across restarts. It is plain JSON and shared, so nobody else may change it. */
export interface SavedId {
	readonly id: string;
	/** When it was first seen, by the time of day. */
	readonly since: number;
	/** How often it was polled. After a restart it may be a few short: polling alone saves nothing. */
	polls: number;
	/** Whether the service ever called it pending. */
	seen?: true;
	/** Whether it was handed in. One that was only typed is dropped when it is typed no more. */
	submitted?: true;
	data?: unknown;
	subject?: string;
	/** How it ended; absent while it is watched. It stays until the start of the workflow is confirmed. */
	end?: {
		outcome: string;
		at: number;
		result?: unknown;
		trouble?: string;
		/** When the workflow was first asked to start; absent if that was not done, or was rejected. */
		emittedAt?: number;
		/**
		 * Set when it was given up and people were told: nobody knows whether the workflow was started, and by now starting it
		 * again might start it twice. Whether the id was typed then, or merely handed in.
		 */
		reportedAs?: 'typed' | 'submitted';
	};
}

/** All that must survive a restart, as plain JSON. */
export interface IdSnapshot {
	version: 1;
	/** Ids being watched, finished ones whose start is not confirmed, and those that were given up. */
	ids: SavedId[];
	/** What is left of the others, oldest first. A plain list: n8n wraps every object in here, for every execution. */
	ended: string[];
}

/** How one id ended: what a workflow starts with. */
export interface Ended {
	id: string;
	/** The service's word, or `gone` (three times missing) or `stillOutstanding` (the deadline). */
	outcome: string;
	result?: unknown;
	data?: unknown;
	subject?: string;
	seenOutstanding: boolean;
	/** By the time of day, in milliseconds. */
	firstSeen: number;
	finishedAt: number;
	polls: number;
	/** What the service had against the id, or what was wrong with the service, when the deadline came. */
	trouble?: string;
}

/** For how long an id was watched, in seconds with one decimal. */
export const waitedSeconds = ({ firstSeen, finishedAt }: Ended): number =>
	Math.round((finishedAt - firstSeen) / 100) / 10;

/** What became of ids that were added: all of them, or none and the reason. */
export type AddResult =
	| { ok: true; added: number; known: number; finished: number; watched: number }
	| { ok: false; reason: 'badId' | 'tooMuchData' | 'tooMany' | 'stopped'; message: string };

/** What is worth telling people, each at most once an episode. */
export type IdReport =
	/** The service does not answer well; comes once until it has been well for ten minutes. */
	| { kind: 'sick'; message: string }
	/** It is not known whether these were started, and they are not started any more; comes once for each. */
	| { kind: 'unclear'; ended: Ended[] }
	/** n8n does not start the workflow; comes once. */
	| { kind: 'unstarted'; message: string }
	/** There are more ids than can be polled at this interval; comes once. */
	| { kind: 'overloaded'; watched: number; lateByMs: number };

/** How a watcher behaves. */
export interface WatchOptions {
	/** The shortest time between two polls of one id. */
	intervalMs: number;
	/** How many requests may be under way. */
	maxInFlight: number;
	/** How long an id is watched at most; for ever if absent. */
	deadlineMs?: number;
	/** The longest pause that the watcher takes by itself when a service is sick. One that the service asks for may be longer. */
	longestPauseMs: number;
	/** How many ids may be watched. */
	maxWatched: number;
	/** How many finished ids are remembered, besides those still typed. */
	maxRemembered: number;
	/**
	 * For how long after n8n was first asked for a start that it never confirmed, it is asked again after a restart: as long as
	 * it surely remembers the key of one that it did make.
	 */
	startAgainForMs: number;
	/** How many workflows are started in one go, so that ids that end together by the thousand do not choke n8n. */
	startsAtATime: number;
}

/** What a watcher does unless told otherwise. */
export const WATCH_DEFAULTS: WatchOptions = {
	intervalMs: 2000,
	maxInFlight: 10,
	longestPauseMs: 60_000,
	maxWatched: 10_000,
	maxRemembered: 10_000,
	startAgainForMs: REPEAT_STARTS_FOR_MS,
	startsAtATime: 10,
};

import type { IDataObject } from 'n8n-workflow';

import { REPEAT_STARTS_FOR_MS } from '../../common/core/startLedger';
import type { Clock, PollResult } from '../../ids/core';

/** Something that happens to a record once, and the fields that say when, the first that holds a date counting. */
export interface OneTimeEvent {
	kind: string;
	at: readonly string[];
	/** Whether it is how a record comes into being: whoever is new has not been changed. */
	creation?: true;
}

/** What can happen to the records of a list, each by the name that the user chooses it by. */
export interface Facets {
	/** Five at most: one bit of what is kept of a record each. */
	once: readonly OneTimeEvent[];
	/** The field whose new value is told by a name of its own. */
	status?: { kind: string; field: string };
	/** How any other change is told. */
	updated?: string;
	/** Fields that are no change: what counts something, and what moves with it. */
	ignored?: readonly string[];
	/** The field with the time of the last change, where there is one. */
	stamp?: string;
}

/** One list of a service that a trigger follows, such as the registrations of an event. */
export interface Source {
	/** Tells it from the others of the trigger, and stays the same. */
	key: string;
	/** How messages call it. */
	name: string;
	facets: Facets;
	/**
	 * Whether the service is asked for what has changed since a time: then a record that nobody knows has changed. Otherwise
	 * the whole list is read each time and compared with what was seen before.
	 */
	filtered: boolean;
	/** Whether every record is kept in mind, and not just those that may come again: always where nothing is filtered. */
	keepsAll?: true;
	/**
	 * Of what kind it is, if it was found among others and not chosen by the user: nobody could have chosen it earlier, so it
	 * counts from the last look at those of its kind.
	 */
	found?: string;
	identify: (record: IDataObject) => unknown;
	/** Whether a record is of interest. */
	matches?: (record: IDataObject) => boolean;
}

/** A change of a record: what a workflow starts with. */
export interface RecordChange<Followed extends Source = Source> {
	source: Followed;
	/** One of the kinds of the source's facets. */
	kind: string;
	id: string;
	record: IDataObject;
}

/** One start of the workflow. */
export interface WorkflowStart<Followed extends Source = Source> {
	/** Made of what is started, so that the same start has the same key in another life. */
	key: string;
	changes: Array<RecordChange<Followed>>;
}

/** A part of a list, as the service gave it. */
export interface ListPage {
	records: IDataObject[];
	/** The time at the service when it answered, in milliseconds. */
	date?: number;
}

/** What there is to follow at the moment. */
export interface FoundSources<Followed extends Source = Source> {
	sources: Followed[];
	/** The time at the service when it answered, if it was asked. */
	date?: number;
}

/** What is worth telling people, each once an episode. */
export type ListReport =
	/** The service does not answer well; comes once until it has been well for ten minutes. */
	| { kind: 'sick'; message: string }
	/** A list is gone, or the service has something against it alone; the others go on. */
	| { kind: 'lost'; source?: Source; gone: boolean; message: string }
	/** A list may be incomplete. */
	| { kind: 'incomplete'; source: Source; message: string }
	/** A list without dates: nobody can tell what is new. */
	| { kind: 'undated'; source: Source; fields: readonly string[] }
	/** There are more records than can be compared. */
	| { kind: 'tooMany'; source: Source; most: number }
	/** The service's clock was set back by so much; comes once a day at most. */
	| { kind: 'setBack'; byMs: number }
	/** A change came so much later than its time stamp says, by the service's clock: more than the overlap. */
	| { kind: 'behind'; source: Source; byMs: number }
	/** It is not known whether these were started, and they are not started any more. */
	| { kind: 'unclear'; ids: string[] }
	/** n8n does not start the workflow. */
	| { kind: 'unstarted'; message: string };

/** What a follower needs from outside. */
export interface FollowHooks<Followed extends Source = Source> {
	/** Finds out what there is to follow, or why not; called before each round. */
	find(signal: AbortSignal): Promise<FoundSources<Followed> | PollResult>;
	/**
	 * Reads a list, the part that has changed since a time if one is given, and hands over page by page, an empty one too, waiting
	 * for each to be taken. Gives `finished` once it has read all of it, with a message as its result if that is in doubt.
	 */
	readList(
		source: Followed,
		since: number | undefined,
		take: (page: ListPage) => Promise<void>,
		signal: AbortSignal,
	): Promise<PollResult>;
	/** Starts the workflow. Resolves when it was started, now or before; rejects when it was not, and is called again. */
	emit(start: WorkflowStart<Followed>): Promise<unknown>;
	/** Keeps what the follower knows, when the next start is asked for. */
	save(): void;
	report(report: ListReport): void;
	/** Hears that a round is over. */
	onRoundEnd?(): void;
	/** Waits, and rejects when the signal is given. */
	sleep(ms: number, signal: AbortSignal): Promise<unknown>;
	clock?: Clock;
	random?: () => number;
}

/** How a follower behaves. */
export interface FollowOptions {
	/** The kinds of changes that start the workflow. */
	kinds: ReadonlySet<string>;
	/** The beginning of all keys: which workflow and node. */
	owner: string;
	/** The time between the beginnings of two rounds. */
	intervalMs: number;
	/** How far each look reaches back behind the last one. */
	overlapMs: number;
	/** Whether what was there before starts the workflow, too. */
	includeExisting: boolean;
	/** Whether all changes of a round start the workflow together. */
	together: boolean;
	/** How many starts may be unconfirmed. */
	maxUnconfirmed: number;
	/** How many records are kept in mind. */
	maxKnown: number;
	/** As in a watcher: for how long n8n surely remembers the key of a start that it never confirmed. */
	startAgainForMs: number;
	/** The longest pause between rounds while the service is sick. */
	longestPauseMs: number;
}

/** What a follower does unless told otherwise. */
export const FOLLOW_DEFAULTS = {
	intervalMs: 60_000,
	overlapMs: 120_000,
	includeExisting: false,
	together: false,
	maxUnconfirmed: 10,
	maxKnown: 10_000,
	startAgainForMs: REPEAT_STARTS_FOR_MS,
	longestPauseMs: 600_000,
} as const satisfies Partial<FollowOptions>;

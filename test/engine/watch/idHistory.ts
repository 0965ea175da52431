import type { Watcher } from '../../../nodes/engine/watch';

/** What is true of one id at the service, whoever asks. */
export interface Fate {
	/** When it is finished, and as what; never if absent. */
	finishedAt?: number;
	outcome: string;
	/** From when on the service does not know it any more. */
	forgottenAt: number;
	typed: boolean;
	/** Until when the service will not be asked about it, though it answers about others. */
	refusedUntil: number;
	/** From when on the service says strange things about it: what nobody can read, or a word without its proof. */
	oddFrom: number;
	odd: 'unreadable' | 'page' | 'doubtful';
}

/** What the service does to everybody for a while. */
export type ServiceCondition = 'fine' | 'down' | 'busy' | 'hangs up' | 'garbled';

/** What happens in a history, besides time passing. */
export type Happening =
	| { kind: 'handIn'; ids: number[] }
	| { kind: 'kill'; awayMs: number }
	| { kind: 'reopen'; awayMs: number }
	| { kind: 'clock'; byMs: number }
	| { kind: 'condition'; condition: ServiceCondition };

export interface History {
	seed: number;
	fates: Fate[];
	happenings: Array<{ afterMs: number; what: Happening }>;
	/** Of a hundred starts, how many n8n rejects. */
	rejects: number;
	/** Whether n8n keeps executions, and with them their keys; otherwise only for as long as it runs. */
	keepsKeys: boolean;
	intervalMs: number;
	maxInFlight: number;
	maxWaitMs: number;
}

/** One life of a watcher, from activation to its end. */
export interface Life {
	watcher: Watcher;
	abort: AbortController;
	staticData: string;
	inFlight: number;
	notBefore: number;
	/** Ids that have ended in this life, and those among them that n8n has not rejected. */
	ended: Set<string>;
	started: Set<string>;
	pendingWrites: Array<() => void>;
	/** Since when each id is watched in this life, and when it was last answered well. */
	since: Map<string, number>;
	goodAt: Map<string, number>;
}

import type { Watcher } from '../../../nodes/engine/watch';

/** State of one ID at the service. */
export interface SimulatedId {
	/** When it is finished, and with which outcome; never if missing. */
	finishedAt?: number;
	outcome: string;
	/** Time from which the service no longer knows it. */
	unknownFrom: number;
	isEntered: boolean;
	/** Time until which the service rejects requests for it, though not for others. */
	rejectedUntil: number;
	/** Time from which responses for it are unrecognized, or claim an end without a proof. */
	abnormalFrom: number;
	abnormalKind: 'unrecognized' | 'webPage' | 'doubtful';
}

/** Condition of the service for all requests. */
export type ServiceCondition = 'available' | 'down' | 'rateLimited' | 'disconnecting' | 'garbled';

/** An event in a history. */
export type HistoryEvent =
	| { kind: 'submit'; ids: number[] }
	| { kind: 'kill'; awayMs: number }
	| { kind: 'reopen'; awayMs: number }
	| { kind: 'clock'; byMs: number }
	| { kind: 'condition'; condition: ServiceCondition };

export interface WatchHistory {
	seed: number;
	ids: SimulatedId[];
	events: Array<{ afterMs: number; event: HistoryEvent }>;
	/** Percentage of starts that n8n rejects. */
	rejectedStartsPercent: number;
	/** Whether n8n stores executions and their keys permanently, or only until it stops. */
	keepsKeys: boolean;
	intervalMs: number;
	maxInFlight: number;
	maxWaitMs: number;
}

/** One activation of a watcher, until it is closed or killed. */
export interface WatcherActivation {
	watcher: Watcher;
	abort: AbortController;
	staticData: string;
	inFlight: number;
	notBefore: number;
	/** IDs that have ended since the activation, and those among them that n8n has not rejected. */
	endedIds: Set<string>;
	startedIds: Set<string>;
	pendingWrites: Array<() => void>;
	/** Since when each ID is watched in this activation, and when it last had a good response. */
	watchedSince: Map<string, number>;
	lastGoodResponse: Map<string, number>;
}

import type { Watcher } from '../../../nodes/engine/watch';

/** State of one ID at the service. */
export interface SimulatedId {
	/** When the ID is finished, with `outcome`; never if missing. */
	finishedAtMs?: number;
	outcome: string;
	/** Time from which the service no longer knows the ID. */
	unknownFromMs: number;
	isEntered: boolean;
	/** Time until which the service rejects requests for this ID, though not for others. */
	rejectedUntilMs: number;
	/** Time from which responses for this ID are unrecognized, or claim an end without a proof. */
	abnormalFromMs: number;
	abnormalKind: 'unrecognized' | 'webPage' | 'doubtful';
}

/** Condition of the service for all requests. */
export type ServiceCondition = 'available' | 'down' | 'rateLimited' | 'disconnecting' | 'garbled';

/** An event in a history. */
export type HistoryEvent =
	| { kind: 'submit'; ids: number[] }
	| { kind: 'kill'; downtimeMs: number }
	| { kind: 'reopen'; downtimeMs: number }
	| { kind: 'clock'; byMs: number }
	| { kind: 'condition'; condition: ServiceCondition };

/** All that happens in one simulation. */
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
	/** Time before which the service allows no request. */
	notBeforeMs: number;
	/** IDs that have ended since the activation, and those among them that n8n has not rejected. */
	endedIds: Set<string>;
	startedIds: Set<string>;
	pendingWrites: Array<() => void>;
	/** Since when each ID is watched in this activation, and when it last had a good response. */
	watchedSinceMs: Map<string, number>;
	lastGoodResponseMs: Map<string, number>;
}

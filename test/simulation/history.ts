/**
 * The events of a simulated world, in order. Everything is plain JSON: the checker reads nothing else. `at` is the time in
 * milliseconds since the world began, by a clock that never steps.
 */
export type History = HistoryEvent[];

export type HistoryEvent = { at: number } &
	/** Settings of n8n that promises depend on. */
	(
		| { type: 'settings'; keepsExecutions: boolean }
		| { type: 'processStarted'; process: number }
		| { type: 'processEnded'; process: number; killed: boolean }
		/** The wall clock of the machine was set. */
		| { type: 'clockStepped'; byMs: number }
		/** A process sent a request to a service. */
		| { type: 'requested'; request: number; process: number; method: string; path: string }
		/** The service carried the request out. `status` and `body` are its response. */
		| { type: 'executed'; request: number; status: number; body: unknown }
		/** The process received a response, complete and unchanged unless `fault` says otherwise. */
		| {
				type: 'responded';
				request: number;
				status?: number;
				retryAfterMs?: number;
				fault?: string;
		  }
		/** A person or the service's own clock decided something at the service. */
		| { type: 'decided'; id: string; outcome: string }
		/** A caller submitted IDs to a trigger's webhook. The response follows. */
		| { type: 'submitted'; submission: number; ids: string[] }
		| { type: 'acknowledged'; submission: number; status: number }
		/** IDs were entered in the node before it was published. */
		| { type: 'entered'; ids: string[] }
		/** A trigger asked n8n to start the workflow. */
		| { type: 'startRequested'; process: number; key: string }
		/** n8n created an execution. */
		| { type: 'started'; key: string; items: Array<Record<string, unknown>> }
		/** n8n saved the state of a workflow's triggers, as it was at `beganAt`. */
		| { type: 'saved'; workflow: string; beganAt: number }
		/** A trigger reported something by a failed execution. */
		| { type: 'reported'; message: string; description: string }
		/** From now on no fault, crash or step of a clock follows. */
		| { type: 'faultsEnded' }
		| { type: 'ended' }
	);

/** An event without its time. */
export type NewEvent = HistoryEvent extends infer Event
	? Event extends { at: number }
		? Omit<Event, 'at'>
		: never
	: never;

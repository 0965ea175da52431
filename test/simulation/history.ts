/**
 * The events of a simulated world, in order. Everything is plain JSON: the checker reads nothing else. `at` is the time in
 * milliseconds since the world began, by a clock that never steps.
 */
export type History = HistoryEvent[];

type Items = Array<Record<string, unknown>>;

export type HistoryEvent = { at: number } &
	/** Settings of n8n that promises depend on. */
	(
		| { type: 'settings'; keepsExecutions: boolean }
		/** Settings of the triggers that watch IDs, if all have the same. */
		| { type: 'limits'; intervalMs: number; maxInFlight: number; maxWaitMs?: number }
		| { type: 'processStarted'; process: number }
		| { type: 'processEnded'; process: number; killed: boolean }
		/** The wall clock of the machine was set. */
		| { type: 'clockStepped'; byMs: number }
		/** A process sent a request to a service. */
		| {
				type: 'requested';
				request: number;
				process: number;
				method: string;
				path: string;
				/** The execution or the trigger (the ID of its node) that sent it, if known. */
				execution?: string;
				trigger?: string;
				/** The contents of its body, if it has any. */
				sent?: unknown;
		  }
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
		/** A person got a question, or a request with this ID exists that an execution is to wait for. */
		| { type: 'asked'; id: string; question: string; person?: string; expiresInMs?: number }
		/** A person or the service's own clock decided something at the service. `person` is missing if only one can decide. */
		| { type: 'decided'; id: string; outcome: string; person?: string }
		/** Several people decide about the item with this question. */
		| { type: 'policyChosen'; question: string; policy: ChosenPolicy }
		/** A caller submitted IDs to a trigger's webhook. The response follows. */
		| { type: 'submitted'; submission: number; ids: string[]; trigger?: string }
		| { type: 'acknowledged'; submission: number; status: number }
		/** IDs were entered in the node before it was published. */
		| { type: 'entered'; ids: string[]; trigger?: string }
		/** A user removed entered IDs from the nodes, and publishes the workflows. */
		| { type: 'removed'; ids: string[] }
		/** A trigger asked n8n to start the workflow. `trigger` is the ID of its node. */
		| { type: 'startRequested'; process: number; key: string; trigger?: string }
		/** n8n told a process that the execution of a start has ended. */
		| { type: 'confirmed'; process: number; key: string }
		/** A trigger learned which lists it follows. */
		| { type: 'discovered'; lists: string[] }
		/** A trigger could not be activated, so its workflow was not published; n8n tries again. */
		| { type: 'activationFailed'; process: number; workflow: string }
		/** n8n closed the triggers of a process. */
		| { type: 'unpublished'; process: number }
		/** n8n opens the closed triggers again in the same process. */
		| { type: 'reopened' }
		/** A trigger stopped by itself, or did something after it was closed. */
		| { type: 'misbehaved'; detail: string }
		/** n8n created an execution. */
		| { type: 'started'; key: string; items: Items; trigger?: string }
		/** n8n deleted an execution, and with it its deduplication key. */
		| { type: 'pruned'; key: string }
		/** n8n began to save the state of a workflow's triggers. `save` counts the saves. */
		| { type: 'saveBegan'; workflow: string; process: number; save?: number }
		/** n8n saved the state of a workflow's triggers, as it was at `beganAt`. */
		| { type: 'saved'; workflow: string; beganAt: number; process?: number; save?: number }
		/** n8n began an execution with these items. */
		| {
				type: 'executionStarted';
				execution: string;
				workflow: string;
				items: Items;
				process?: number;
		  }
		| { type: 'executionParked'; execution: string }
		| { type: 'executionResumed'; execution: string; by: 'call' | 'time'; process?: number }
		/** A caller other than n8n called the resume webhook of an execution. */
		| { type: 'calledFromOutside'; execution: string; status: number }
		/** A user deleted the credentials, or created them again. */
		| { type: 'credentialsDeleted' }
		| { type: 'credentialsCreated' }
		/** The input of a node behind the simulated one. */
		| {
				type: 'output';
				execution: string;
				node: string;
				items: Items;
				/** Index of the input item that each item is paired with; null if none. */
				from?: Array<number | null>;
		  }
		/** Settings of a workflow that writes. */
		| ({ type: 'writing'; workflow: string } & WriteSettings)
		/** A record of a service was added (no `before`), changed or deleted (no `after`): by a request, or by an organizer. */
		| {
				type: 'recordChanged';
				table: string;
				id: string;
				before?: Record<string, string>;
				after?: Record<string, string>;
				request?: number;
		  }
		/** An execution got its final status. One that n8n marked as crashed may still end. */
		| {
				type: 'executionEnded';
				execution: string;
				status: string;
				/** Of the error with which it failed. */
				message?: string;
				description?: string;
		  }
		/** A trigger reported something by a failed execution. */
		| { type: 'reported'; message: string; description: string; trigger?: string }
		/** A backup of n8n's database was made. */
		| { type: 'copied' }
		/** A backup replaced n8n's database while n8n was off. */
		| { type: 'restored'; copiedAt: number }
		/** A trigger follows a list from its first activation on. `kinds` are the values of `change` that start the workflow. */
		| ({ type: 'followed' } & FollowedSettings)
		/** A record of a list changed, or was deleted (`shown` is missing). It is visible from `visibleAt` on. */
		| {
				type: 'changed';
				list: string;
				number: number;
				shown?: ShownRecord;
				/** When the record was created, by the date that it has. */
				createdAt: number;
				visibleAt: number;
		  }
		/** The service returned a page of a list. `responded` tells whether it arrived. */
		| {
				type: 'read';
				request: number;
				list: string;
				/** From 1 on. */
				page: number;
				isLast: boolean;
				shown: ShownRecord[];
		  }
		/** The clock of the service was set. */
		| { type: 'serviceClockStepped'; byMs: number }
		/** A user began to make a list equal to items, without n8n. */
		| { type: 'syncBegan'; run: number; input: SyncInput }
		/** A run read the list. `asOf` is the service's time by which it tells contacts that were added later. */
		| { type: 'listRead'; run: number; contacts: ListedRecord[]; asOf: number }
		/** A run planned what to write. `exceeded` is missing if no limit forbids it. */
		| { type: 'planned'; run: number; plan: RecordedPlan; digest: string; exceeded?: string }
		/** A run ended. The list is as it was then. */
		| { type: 'syncEnded'; run: number; isComplete: boolean; contacts: ListedRecord[] }
		/** An organizer changed a contact, added one or removed one. */
		| { type: 'organized'; contact: number }
		/** From now on no fault, crash or step of a clock follows. */
		| { type: 'faultsEnded' }
		| { type: 'ended' }
	);

/** Who decides about an item, as the user chose it. */
export interface ChosenPolicy {
	levels: Array<{
		name: string;
		people: string[];
		needed: 'all' | 'any' | number;
		deputies: string[];
		deputiesAfterMs?: number;
	}>;
	/** Person who must not decide. */
	requester?: string;
	oneDenialEnds: boolean;
	/** Time limit of all levels. */
	limitMs?: number;
	/** How long a person has to answer. */
	expiresAfterMs: number;
	remindAfterMs?: number;
}

/** Settings of a node that writes. */
export interface WriteSettings {
	operation: 'sync' | 'upsertContact' | 'upsertRegistration' | 'addContacts' | 'register' | 'sms';
	onError: string;
	retryOnFail: boolean;
	/** For Sync: all settings besides the items. */
	sync?: Omit<SyncInput, 'rows' | 'invalidRows'>;
}

/** Settings and items of a Sync. */
export interface SyncInput {
	matchBy: string;
	/** Kinds of the mapped fields, by name. */
	kinds: Record<string, string>;
	missing: 'leave' | 'report' | 'remove';
	/** Values of each item by field. A missing value leaves the field as it is, an empty one clears it. */
	rows: Array<Record<string, string>>;
	/** Values of the items that are invalid. */
	invalidRows: Array<Record<string, string>>;
	maxRemovals?: string;
	maxChanges?: string;
}

/** A contact of a list, with its values by field. */
export interface ListedRecord {
	id: number;
	addedAt: number;
	values: Record<string, string>;
}

/** A plan of what to write: the change of each row in order, and of contacts that no row is about. */
export interface RecordedPlan {
	rows: Array<{
		change: string;
		contact?: number;
		changes: Array<{ field: string; from: string; to: string }>;
	}>;
	unmatched: Array<{ change: string; contact: number }>;
}

/** Settings of a trigger that follows a list. */
export interface FollowedSettings {
	list: string;
	workflow: string;
	kinds: string[];
	/** Whether the service returns only the records that changed since a time. */
	isFiltered: boolean;
	includeExisting: boolean;
	batchesChanges: boolean;
	intervalMs: number;
	overlapMs: number;
	/** Largest difference between the clocks of the service's machines. */
	skewMs: number;
	/** Whether records and responses show when they were written. */
	hasExactDates: boolean;
	/** How many starts may be unconfirmed at once, if the history tells when they are confirmed. */
	maxUnconfirmed?: number;
}

/** A state of a record. Every record that a service returns contains it, and so does the item of a start. */
export interface ShownRecord {
	number: number;
	content: number;
	status: string;
	isIn: boolean;
	/** Time of the last change, if the service shows it. */
	stamp?: number;
}

/** An event without its time. */
export type NewEvent = HistoryEvent extends infer Event
	? Event extends { at: number }
		? Omit<Event, 'at'>
		: never
	: never;

/*
 * The terms of `docs/approvals-decision-table.md`, which defines how several people decide. Everything here is plain JSON:
 * n8n stores it with a parked execution. Times are wall-clock milliseconds.
 */

/** Who decides, as resolved when the item began. Later edits of the workflow do not change the policy. */
export interface ApprovalPolicy {
	/** At least one level. Skipped levels and the requester are left out; each person occurs once. */
	levels: ApprovalLevel[];
	/** Whether one denial is enough to deny the request. */
	oneDenialEnds: boolean;
	/** How long a request stays open, unless `limitAt` comes first. */
	expiresAfterMs: number;
	/** When the time limit of all levels ends; absent without a limit. */
	limitAt?: number;
	/** Time from the start of a level to its reminders; absent without reminders. */
	remindAfterMs?: number;
}

/** People who are asked together. */
export interface ApprovalLevel {
	name: string;
	people: string[];
	/** Number of approvals, from 1 to the number of people. */
	needed: number;
	/** People who are asked as well if the level is undecided after `deputiesAfterMs`. */
	deputies: string[];
	/** Set if there are deputies. */
	deputiesAfterMs?: number;
}

/** How far a policy has been carried out. */
export interface QuorumProgress {
	/** Index of the current level. */
	level: number;
	/** When the current level's first request was about to be sent. */
	levelStartedAt: number;
	/** The requests of all levels so far; the order has no meaning. */
	requests: PersonRequest[];
}

/** One request to one person. Level, person and `reminder` identify the request. */
export interface PersonRequest extends RequestKey {
	level: number;
	status: RequestStatus;
	expiresAt: number;
	/** When the person answered, by the service's clock; otherwise when the answer was first seen. */
	respondedAt?: number;
}

/** Identifies a request within a level: to whom, and whether it is the reminder. */
export interface RequestKey {
	person: string;
	reminder: boolean;
}

/** `gone`: unknown to the service. `failed`: was not sent. `unclear`: may have been sent, but has no ID to poll. */
type FinalStatus = 'approved' | 'denied' | 'expired' | 'gone' | 'failed' | 'unclear';
/** The status could not be read: the service gave no valid response (`unread`), or it rejected the credential. */
type UnreadStatus = 'unread' | 'credentialRejected';
export type RequestStatus = 'pending' | UnreadStatus | FinalStatus;

export type QuorumDecision = QuorumEnd | FailDecision | SendDecision | WaitDecision;

/** How the approval ended, at which level, and by which answer if people decided it. */
export type QuorumEnd =
	| { kind: 'end'; outcome: 'approved' | 'denied'; level: number; by: RequestKey }
	| { kind: 'end'; outcome: 'expired' | 'gone' | 'stillOutstanding'; level: number };

/** So many requests could not be sent that the needed number of approvals is out of reach. */
interface FailDecision {
	kind: 'fail';
	level: number;
}

/** Requests to send now. If `level` is not the current level, that level begins with these requests. */
interface SendDecision {
	kind: 'ask';
	level: number;
	requests: RequestKey[];
}

/** Nothing to do until a status changes, or until the time is `until`. */
interface WaitDecision {
	kind: 'wait';
	until: number;
}

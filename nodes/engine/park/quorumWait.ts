import type { IDataObject } from 'n8n-workflow';

import type { Problem } from '../errors';
import type { PollDefinition } from '../http/pollOnce';
import type { ItemCall } from '../operation';
import { decide } from '../quorum/decide';
import type {
	RequestKey,
	QuorumEnd,
	ApprovalLevel,
	PersonRequest,
	ApprovalPolicy,
	QuorumProgress,
} from '../quorum/types';
import { isOpen, isUnread } from '../quorum/votes';
import type { AwaitedId } from './polledConnection';
import type { DueCheck } from './poller';

/** A request to one person. */
export interface SentRequest extends PersonRequest {
	/** Absent if the request failed, or if its ID is unknown. */
	id?: string;
	/** Data of the answer for the output. */
	answer?: IDataObject;
}

/** Why a request could not be sent, with secrets redacted. */
export interface SendTrouble extends Problem {
	status?: number;
}

/** The wait of one item for the decision of several people. n8n stores it with the execution, so it is plain JSON. */
export interface QuorumWait {
	policy: ApprovalPolicy;
	progress: Omit<QuorumProgress, 'requests'> & { requests: SentRequest[] };
	/** Everything that later requests and the output need. Fixed when the item begins, so that all people get the same question. */
	data: IDataObject;
	since: number;
	intervalMs: number;
	/** When the policy has something to do next, in wall-clock time, unless an answer comes first; absent before the first poll. */
	nextActionAt?: number;
	/** Why a request could not be read at the last poll. */
	trouble?: string;
	/** Why the last failed request could not be sent. */
	sendTrouble?: SendTrouble;
	/** Statement that the requests so far were sent, such as "The orders 17, 18 were placed"; absent before the first. */
	sentStatement?: string;
}

/** A request that is about to be sent. */
export interface OutgoingRequest extends RequestKey {
	level: ApprovalLevel;
	/** Seconds until the request must expire. */
	expiresInS: number;
}

/** How an operation asks several people. */
export interface QuorumDefinition<V> {
	/** Must be a shared constant, as in WaitDefinition. */
	poll: PollDefinition;
	/** Sends one request. Returns its ID; undefined if the service accepted the request but gave no ID. */
	send: (call: ItemCall, data: IDataObject, ask: OutgoingRequest) => Promise<string | undefined>;
	/** Returns the name of a person, if it is known. */
	nameOf?: (data: IDataObject, person: string) => string | undefined;
	/** Returns the statement that these requests were sent, for errors. */
	describeSent: (ids: string[]) => string;
	/** Returns the time of an answer, if the service states it, and the data for the output. */
	readAnswer: (result: unknown) => { respondedAt?: number; answer?: IDataObject };
	/** Returns why an approval by this person does not count, such as another question at the service; undefined if it counts. */
	findMismatch?: (
		call: ItemCall,
		data: IDataObject,
		asked: Pick<OutgoingRequest, 'level' | 'person'>,
		result: unknown,
	) => Promise<string | undefined>;
	/** Returns the fields that the end of the wait adds to the item's output, or throws to fail the item. */
	conclude: (values: V, call: ItemCall, end: QuorumEnd, wait: QuorumWait) => IDataObject;
}

/**
 * Returns the wait as an earlier try of the run (n8n's Retry On Fail) has left it, or `wait` in the first try. Forgets the
 * requests that failed in earlier tries, so that they are sent again.
 */
export function continueQuorum({ journal }: ItemCall, wait: QuorumWait): QuorumWait {
	const failedBefore = wait.progress.requests.filter(({ status }) => status === 'failed').length;
	const current = journal.progress(() => wait);
	const { requests } = current.progress;
	// Requests are only ever appended, so those that failed before the run come first.
	let failed = 0;
	current.progress.requests = requests.filter(
		({ status }) => status !== 'failed' || ++failed <= failedBefore,
	);
	return current;
}

/** Returns the requests that still matter: those of the current level that can still be answered. */
export const openRequestsOf = ({ progress }: QuorumWait): Array<SentRequest & { id: string }> =>
	progress.requests.filter(
		(request): request is SentRequest & { id: string } =>
			request.level === progress.level && isOpen(request) && request.id !== undefined,
	);

/** Whether a person or deputy of the current level or a later one has not been asked. */
export const hasUnasked = ({ policy, progress }: Pick<PolledQuorum, 'policy' | 'progress'>) =>
	policy.levels
		.slice(progress.level)
		.flatMap(({ people, deputies }) => [...people, ...deputies])
		.some((person) => !progress.requests.some((request) => request.person === person));

/** Outcomes of a poll that are also a final status of a request. */
const FINAL_OUTCOMES = ['approved', 'denied', 'expired', 'gone'] as const;

/** Returns the final status that an outcome stands for, if any. */
export const toFinalStatus = (outcome: string | undefined) =>
	FINAL_OUTCOMES.find((status) => status === outcome);

/** Plain data of one wait for the poller, with the ID to poll for each open request. */
export interface PolledQuorum {
	policy: ApprovalPolicy;
	progress: QuorumProgress;
	requests: Map<PersonRequest, AwaitedId>;
}

/**
 * Returns the check for an execution with these waits. Without waits for several people, all IDs must have ended. Otherwise
 * one of the policies must have something to do, so an answer that decides nothing yet does not resume the execution. A
 * request that has not ended keeps the status that the node itself has read. A request that the node could not read counts
 * as pending once another request has been answered, since the resumed node will read it again.
 */
export function createDueCheck(single: AwaitedId[], quorums: PolledQuorum[]): DueCheck {
	if (quorums.length === 0) return (outcomes) => single.every((id) => outcomes.has(id));
	return (outcomes) =>
		quorums.some(({ policy, progress, requests }) => {
			const hasEnded = (request: PersonRequest) => outcomes.has(requests.get(request)!);
			const statusOf = (request: PersonRequest) =>
				toFinalStatus(outcomes.get(requests.get(request)!));
			const sentRequests = progress.requests;
			// The execution resumes once for an ID that ended without a final status, so that the node polls the ID and
			// records the error. It does not resume for this ID again, because the poll may fail for ever.
			const hasEndedWithoutStatus = (request: PersonRequest) =>
				hasEnded(request) && !statusOf(request);
			if (sentRequests.some((request) => hasEndedWithoutStatus(request) && !isUnread(request)))
				return true;
			const hasNews = sentRequests.some(statusOf);
			const current = sentRequests.map((request) => ({
				...request,
				status: statusOf(request) ?? (hasNews && isUnread(request) ? 'pending' : request.status),
			}));
			return decide(policy, { ...progress, requests: current }, Date.now()).kind !== 'wait';
		});
}

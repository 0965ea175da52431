import { BadInput, redact, ServiceFailure, toSentence } from '../errors';
import type { ItemCall } from '../operation';
import { decide } from '../quorum/decide';
import type { RequestKey } from '../quorum/types';
import { withExpiry, withLimit } from '../quorum/votes';
import { isSameId } from '../values/convert';
import { STILL_OUTSTANDING, WaitCutShort } from '../wait/wait';
import type { WaitResult } from '../wait/wait';
import { markAsked } from './askedRuns';
import { openRequestsOf, toFinalStatus } from './quorumWait';
import type { QuorumDefinition, QuorumWait, SendTrouble, SentRequest } from './quorumWait';

const NO_ID = 'The service returned no ID';
const SAME_ID = 'The service returned the ID of another request';

/** Result of one evaluation: the output fields of a finished item; or the item waits; or it must be polled again at once. */
export type AdvanceResult = { finished: object } | 'waits' | 'again';

/** One poll of all open requests. */
export interface QuorumPoll {
	/** One result for each ID. */
	results: ReadonlyMap<string, WaitResult | Error>;
	/** When the poll began, in wall-clock time. */
	polledAt: number;
	toleratesRejection: boolean;
}

/**
 * Applies one poll of the open requests to a wait, evaluates the policy, and sends the requests that the policy asks for.
 * Throws to fail the item if too few people could be asked, or if the service rejects
 * the credential for all requests (unless `toleratesRejection` is set).
 */
export async function advanceQuorum<V>(
	values: V,
	call: ItemCall,
	wait: QuorumWait,
	definition: QuorumDefinition<V>,
	{ results, polledAt, toleratesRejection }: QuorumPoll,
): Promise<AdvanceResult> {
	wait.trouble = undefined;
	const openRequests = openRequestsOf(wait);
	const rejections = openRequests.flatMap(
		({ id }) => rejectionIn(results.get(id), toleratesRejection) ?? [],
	);
	if (rejections[0] && rejections.length === openRequests.length) throw rejections[0];
	for (const request of openRequests)
		await applyResult(call, wait, request, results.get(request.id), definition);
	const { policy, progress } = wait;
	const { limitAt = Infinity } = policy;
	const decision = decide(policy, progress, polledAt);
	switch (decision.kind) {
		case 'end':
			// Requests of earlier levels are no longer polled, so it is unknown whether they expired.
			progress.requests = progress.requests.map((request) =>
				request.level === progress.level
					? withLimit(withExpiry(request, polledAt, limitAt), polledAt, limitAt)
					: request,
			);
			return { finished: definition.conclude(values, call, decision, wait) };
		case 'fail':
			throw tooFewAsked(wait, definition.nameOf);
		case 'ask':
			if (Date.now() >= limitAt) return 'again';
			await sendRequests(call, wait, decision, definition);
			// The policy is evaluated at once: an item that fails must fail before other items ask people.
			if (decide(wait.policy, wait.progress, Date.now()).kind === 'fail')
				throw tooFewAsked(wait, definition.nameOf);
			return 'again';
		case 'wait':
			// The time came during the poll, which may have missed an answer before it.
			if (Date.now() >= decision.until) return 'again';
			wait.nextActionAt = decision.until;
			return 'waits';
	}
}

function rejectionIn(
	waitResult: WaitResult | Error | undefined,
	toleratesRejection: boolean,
): ServiceFailure | undefined {
	if (waitResult instanceof Error)
		return waitResult instanceof WaitCutShort ? waitResult : undefined;
	return toleratesRejection ? undefined : waitResult?.rejection;
}

async function applyResult<V>(
	call: ItemCall,
	wait: QuorumWait,
	request: SentRequest,
	waitResult: WaitResult | Error | undefined,
	{ readAnswer, findMismatch }: QuorumDefinition<V>,
): Promise<void> {
	if (waitResult instanceof Error) {
		// The failure of one poll must not end the wait for the other people.
		request.status = waitResult instanceof BadInput ? 'unclear' : 'unread';
		wait.trouble ??= waitResult.message;
		return;
	}
	const status = toFinalStatus(waitResult?.outcome);
	if (!waitResult || !status) {
		const isRead = waitResult?.outcome === STILL_OUTSTANDING && waitResult.seenOutstanding;
		request.status = waitResult?.rejection ? 'credentialRejected' : isRead ? 'pending' : 'unread';
		wait.trouble ??= waitResult?.trouble;
		return;
	}
	if (status === 'approved') {
		const level = wait.policy.levels[request.level]!;
		const { person } = request;
		const mismatch = await findMismatch?.(call, wait.data, { level, person }, waitResult.result);
		if (mismatch !== undefined) {
			// Final: another poll would get the same approval.
			request.status = 'unclear';
			wait.trouble ??= mismatch;
			wait.sendTrouble = { message: mismatch };
			return;
		}
	}
	request.status = status;
	if (status === 'approved' || status === 'denied')
		Object.assign(request, {
			respondedAt: waitResult.endedAt,
			...readAnswer(waitResult.result),
		});
}

/** Sends requests one after the other. A failed request is recorded, and the policy decides whether the failure matters. */
async function sendRequests<V>(
	call: ItemCall,
	wait: QuorumWait,
	{ level, requests }: { level: number; requests: RequestKey[] },
	definition: QuorumDefinition<V>,
): Promise<void> {
	const { policy, progress } = wait;
	if (level !== progress.level || progress.requests.length === 0) {
		progress.level = level;
		progress.levelStartedAt = Date.now();
	}
	for (const planned of requests) {
		const now = Date.now();
		const leftMs = Math.min(policy.expiresAfterMs, (policy.limitAt ?? Infinity) - now);
		if (leftMs <= 0) return;
		// Rounded down: the service must accept no answer after the time limit.
		const expiresInS = Math.max(1, Math.floor(leftMs / 1000));
		// Unclear until the service has answered, so that a repeated run never sends it again.
		const request: SentRequest = { ...planned, level, expiresAt: now + leftMs, status: 'unclear' };
		const earlierRequests = [...progress.requests];
		progress.requests.push(request);
		try {
			const id = await definition.send(call, wait.data, {
				...planned,
				level: policy.levels[level]!,
				expiresInS,
			});
			markAsked(call.context);
			// If two people share one request, its answer may be the other person's.
			const isUnknown = id === undefined || earlierRequests.some((one) => isSameId(one.id, id));
			if (isUnknown) wait.sendTrouble = { message: id === undefined ? NO_ID : SAME_ID };
			else Object.assign(request, { id, status: 'pending' });
		} catch (error) {
			const failure = requireSendFailure(error);
			const isUnclear = failure instanceof ServiceFailure && failure.uncertain;
			if (isUnclear) markAsked(call.context);
			request.status = isUnclear ? 'unclear' : 'failed';
			wait.sendTrouble = troubleOf(failure, call.secrets());
		}
		const ids = progress.requests.flatMap(({ id }) => id ?? []);
		if (ids.length > 0) wait.sentStatement = definition.describeSent(ids);
	}
}

/** Throws any other error, such as the cancellation of the execution. */
function requireSendFailure(error: unknown): ServiceFailure | BadInput {
	if (error instanceof ServiceFailure || error instanceof BadInput) return error;
	throw error;
}

const troubleOf = (error: ServiceFailure | BadInput, secrets: Iterable<string>): SendTrouble => ({
	message: redact(error.message, secrets),
	...(error.advice !== undefined && { advice: redact(error.advice, secrets) }),
	...('status' in error && { status: error.status }),
});

/** Error for a level that can no longer get the approvals needed, since too few requests were sent. */
function tooFewAsked(
	{ policy, progress, sendTrouble, data }: QuorumWait,
	nameOf: QuorumDefinition<unknown>['nameOf'],
): ServiceFailure {
	const { name } = policy.levels[progress.level]!;
	const notAsked = progress.requests.filter(
		({ level, status }) =>
			level === progress.level && (status === 'failed' || status === 'unclear'),
	);
	const people = [...new Set(notAsked.map(({ person }) => person))]
		.map((person) => nameOf?.(data, person) ?? person)
		.join(', ');
	const isUnclear = progress.requests.some(({ status }) => status === 'unclear');
	const reason = sendTrouble ? `: ${toSentence(sendTrouble.message)}` : '';
	const advice = [
		sendTrouble?.advice,
		isUnclear ? "It's unclear whether one of them was asked anyway." : undefined,
	];
	return new ServiceFailure(`Too few people of '${name}' could be asked, not ${people}${reason}`, {
		advice: advice.filter(Boolean).join(' '),
		status: sendTrouble?.status,
		uncertain: isUnclear,
	});
}

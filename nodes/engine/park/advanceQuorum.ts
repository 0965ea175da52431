import { redact, ServiceFailure, toSentence } from '../errors';
import type { Call } from '../operation';
import { decide } from '../quorum/decide';
import type { Ask } from '../quorum/types';
import { STILL_OUTSTANDING } from '../wait/wait';
import type { WaitResult } from '../wait/wait';
import { noRepeatAdvice } from './parkedState';
import { openRequestsOf, toFinalStatus } from './quorumWait';
import type { QuorumDefinition, QuorumWait, SentRequest } from './quorumWait';

/** Result of one evaluation: the output fields of a finished item; or the item waits, or it has asked people just now. */
export type Advance = { finished: object } | 'waits' | 'asked';

/**
 * Applies one poll of the open requests to a wait, evaluates the policy, and sends the requests that it asks for. `ends` has a
 * result for each ID. Throws to fail the item; the error names the requests that were sent.
 */
export async function advanceQuorum<V>(
	values: V,
	call: Call,
	wait: QuorumWait,
	definition: QuorumDefinition<V>,
	ends: ReadonlyMap<string, WaitResult | Error>,
): Promise<Advance> {
	wait.trouble = undefined;
	for (const request of openRequestsOf(wait)) {
		const end = ends.get(request.id);
		if (end instanceof Error) throw withSentRequests(end, wait);
		applyEnd(wait, request, end, definition);
	}
	const decision = decide(wait.policy, wait.progress, Date.now());
	switch (decision.kind) {
		case 'end':
			return { finished: definition.conclude(values, call, decision, wait) };
		case 'fail':
			throw tooFewAsked(wait);
		case 'ask':
			await sendRequests(call, wait, decision, definition);
			return 'asked';
		case 'wait':
			wait.until = decision.until;
			return 'waits';
	}
}

function applyEnd<V>(
	wait: QuorumWait,
	request: SentRequest,
	end: WaitResult | undefined,
	{ readAnswer }: QuorumDefinition<V>,
): void {
	const status = toFinalStatus(end?.outcome);
	if (!end || !status) {
		const isRead = end?.outcome === STILL_OUTSTANDING && end.seenOutstanding;
		request.status = end?.rejected ? 'rejected' : isRead ? 'pending' : 'unread';
		wait.trouble ??= end?.trouble;
		return;
	}
	request.status = status;
	if (status === 'approved' || status === 'denied')
		Object.assign(request, { respondedAt: end.finishedAt, ...readAnswer(end.result) });
}

/** Sends requests one after the other. One that fails is recorded, and the policy decides whether that matters. */
async function sendRequests<V>(
	call: Call,
	wait: QuorumWait,
	{ level, asks }: { level: number; asks: Ask[] },
	definition: QuorumDefinition<V>,
): Promise<void> {
	const { policy, progress } = wait;
	if (level !== progress.level || progress.requests.length === 0) {
		progress.level = level;
		progress.levelStartedAt = Date.now();
	}
	for (const ask of asks) {
		const now = Date.now();
		const leftMs = Math.min(policy.expiresAfterMs, (policy.limitAt ?? Infinity) - now);
		// Rounded up: a request that ends with the whole must not expire before it.
		const expiresInS = Math.max(1, Math.ceil(leftMs / 1000));
		const request = { ...ask, level, expiresAt: now + 1000 * expiresInS };
		const send = async () =>
			await definition.send(call, wait.data, {
				...ask,
				level: policy.levels[level]!,
				expiresInS,
			});
		try {
			const key = `${level} ${ask.person} ${ask.reminder}`;
			const id = await call.journal.runPartOnce(key, send);
			const sent =
				id === undefined ? { status: 'unclear' as const } : { id, status: 'pending' as const };
			progress.requests.push({ ...request, ...sent });
		} catch (error) {
			if (!(error instanceof ServiceFailure)) throw withSentRequests(error, wait);
			progress.requests.push({ ...request, status: error.uncertain ? 'unclear' : 'failed' });
			wait.sendTrouble = redact(error.message, call.secrets());
		}
		const ids = progress.requests.flatMap(({ id }) => id ?? []);
		if (ids.length > 0) wait.effect = definition.describeSent(ids);
	}
}

/** Error for a level in which so many requests could not be sent that the approvals needed cannot be reached. */
function tooFewAsked({ policy, progress, sendTrouble = '', effect }: QuorumWait): ServiceFailure {
	const { name } = policy.levels[progress.level]!;
	const isUnclear = progress.requests.some(({ status }) => status === 'unclear');
	return new ServiceFailure(
		`Too few people of '${name}' could be asked: ${toSentence(sendTrouble)}`.trim(),
		{
			advice: [
				...(isUnclear ? ["It's unclear whether one of them was asked anyway."] : []),
				...(effect ? [noRepeatAdvice(effect, 'those IDs')] : []),
			].join(' '),
			uncertain: isUnclear,
		},
	);
}

/** Adds to an error which requests of the item were sent. */
function withSentRequests(error: unknown, { effect }: QuorumWait): unknown {
	if (!(error instanceof ServiceFailure) || !effect) return error;
	const { message, status, code, body, statedCause, advice } = error;
	const fullAdvice = [advice, noRepeatAdvice(effect, 'those IDs')].filter(Boolean).join(' ');
	return new ServiceFailure(message, { status, code, body, statedCause, advice: fullAdvice });
}

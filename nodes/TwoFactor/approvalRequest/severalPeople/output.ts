import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure, toSentence } from '../../../engine/errors';
import type { SentRequest, QuorumWait } from '../../../engine/park/quorumWait';
import type { QuorumEnd } from '../../../engine/quorum/types';
import { isOpen } from '../../../engine/quorum/votes';
import { normalizeId } from '../../../engine/values/convert';
import { isRecord } from '../../../engine/values/isRecord';
import { isErrorOutcome } from '../../../engine/wait/wait';
import type { WaitValues } from '../../../engine/wait/wait';
import { readApprovalAnswer } from '../approvalAnswer';

const FAILURE_MESSAGES: Record<string, (level: string) => string> = {
	denied: (level) => `The approval was denied in '${level}'`,
	expired: (level) => `The approval requests of '${level}' expired before they were decided`,
	gone: (level) => `The two-factor service no longer knows the approval requests of '${level}'`,
	stillOutstanding: (level) => `'${level}' didn't decide in time`,
};

/** Returns the time of an answer, if the service states it, and who answered. */
export function readAnswer(result: unknown): { respondedAt?: number; answer: IDataObject } {
	const { respondedAt, responder = {} } = readApprovalAnswer(result);
	const time = respondedAt === undefined ? undefined : Date.parse(respondedAt);
	return { ...(time !== undefined && { respondedAt: time }), answer: responder };
}

/** Returns the output fields of a decision by several people. Throws ServiceFailure for an outcome chosen in 'Fail On'. */
export function toQuorumOutput(values: WaitValues, end: QuorumEnd, wait: QuorumWait): IDataObject {
	const { outcome } = end;
	const { policy, progress, since, trouble, sentStatement } = wait;
	const { name: level } = policy.levels[end.level]!;
	if (isErrorOutcome(values, outcome)) {
		const failOnAdvice =
			"The item fails because this outcome is chosen in 'Fail On' in the options.";
		throw new ServiceFailure(FAILURE_MESSAGES[outcome]?.(level) ?? `The outcome is ${outcome}`, {
			advice: [trouble && toSentence(trouble), failOnAdvice, sentStatement && `${sentStatement}.`]
				.filter(Boolean)
				.join(' '),
		});
	}
	const decisive =
		'by' in end
			? progress.requests.find(
					({ level: index, person, reminder }) =>
						index === end.level && person === end.by.person && reminder === end.by.reminder,
				)
			: undefined;
	return {
		...(decisive && {
			uuid: decisive.id,
			respondedAt: toIso(decisive.respondedAt),
			responder: toResponder(decisive, wait),
		}),
		outcome,
		level,
		decisions: progress.requests.map((request) => toDecisionEntry(request, wait)),
		waitedSeconds: Math.round((Date.now() - since) / 100) / 10,
		...(trouble ? { trouble } : {}),
	};
}

/** Returns the name of a person, if the credential or the workflow has one. */
export function nameOf({ names }: IDataObject, person: string): string | undefined {
	const name = isRecord(names) ? names[person] : undefined;
	return typeof name === 'string' ? name : undefined;
}

const toIso = (ms: number | undefined): string | undefined =>
	ms === undefined ? undefined : new Date(ms).toISOString();

/** Returns who answered. The service's own name for the person counts last. */
function toResponder({ person, answer = {} }: SentRequest, wait: QuorumWait): IDataObject {
	const { name: serviceName, email } = answer;
	const name = nameOf(wait.data, person) ?? serviceName;
	return {
		twofactor_id: normalizeId(person),
		...(typeof name === 'string' && { name }),
		...(typeof email === 'string' && { email }),
	};
}

/** Returns the entry of one request in `decisions`. */
function toDecisionEntry(request: SentRequest, wait: QuorumWait): IDataObject {
	const { person, id, status, respondedAt, reminder } = request;
	const { name: level, deputies } = wait.policy.levels[request.level]!;
	const { twofactor_id, name } = toResponder(request, wait);
	return {
		level,
		twofactor_id,
		...(name !== undefined && { name }),
		...(id !== undefined && { id }),
		outcome: isOpen(request) ? 'pending' : status,
		...(respondedAt !== undefined && { respondedAt: toIso(respondedAt) }),
		deputy: deputies.includes(person),
		reminder,
	};
}

import type { EngineRequest, IDataObject } from 'n8n-workflow';

import { ServiceFailure, toSentence } from '../../engine/errors';
import { toPathSegment } from '../../engine/http/path';
import type { PollDefinition } from '../../engine/http/pollOnce';
import { isNotFound } from '../../engine/http/statuses';
import type { Batch, Branches, ItemCall, ItemResult } from '../../engine/operation';
import { beginAndWait } from '../../engine/park/beginAndWait';
import type { WaitTarget, WaitDefinition } from '../../engine/park/beginAndWait';
import { normalizeId, shorten } from '../../engine/values/convert';
import { isBlank, plainText } from '../../engine/values/texts';
import { errorOutcomes, isErrorOutcome, STILL_OUTSTANDING } from '../../engine/wait/wait';
import type { WaitValues } from '../../engine/wait/wait';
import { waitedSeconds } from '../../engine/watch';
import type { EndedId } from '../../engine/watch';
import { peopleOf } from '../people';
import { asObject, errorCode } from '../responses';
import { readApproval, withNames } from './approval';
import { isAnswer, readApprovalAnswer } from './approvalAnswer';
import { findMismatch } from './mismatch';
import type { SentQuestion } from './mismatch';

/** Final statuses of an approval request. Without `expired`, polling would never end for a user who does not decide. */
const FINAL_STATUSES = ['approved', 'denied', 'expired'];

/** Error code with which the service states that it does not know an approval request. */
const UNKNOWN_REQUEST = '60049';

/** Message about a 404 or 410 that is not the service's own statement. */
const UNSTATED_ABSENCE =
	"The two-factor service didn't find the approval request, but its answer doesn't say that it doesn't know it. It may come from another server: check 'Base URL' in the credential.";

/** Poll of an approval request. Any status that is not final counts as pending; an unknown one is reported. */
export const approvalPoll: PollDefinition = {
	dependsOnSubject: true,
	request: (uuid) => ({
		method: 'GET',
		path: '/onetouch/json/approval_requests/{uuid}',
		params: { uuid: toPathSegment('Approval Request ID', uuid) },
		accept: (response) => isNotFound(response) && response.kind !== 'text',
	}),
	interpret: (response, id, user) => {
		if (isNotFound(response)) {
			return errorCode(response) === UNKNOWN_REQUEST
				? { kind: 'missing' }
				: { kind: 'unrecognized', message: UNSTATED_ABSENCE };
		}
		const reading = readApproval(response, { id, user });
		if ('problem' in reading) return { kind: 'unrecognized', message: reading.problem };
		const { approval } = reading;
		const outcome = `${approval.status}`.toLowerCase();
		return FINAL_STATUSES.includes(outcome)
			? { kind: 'finished', outcome, result: approval }
			: { kind: 'pending', note: approval, message: unknownStatusMessage(approval) };
	},
};

const unknownStatusMessage = ({ status }: IDataObject): string | undefined =>
	isBlank(status) || /^pending$/i.test(`${status}`.trim())
		? undefined
		: `The two-factor service reports the unknown status "${shorten(status)}", which counts as undecided`;

/** Option: outcomes that make an item fail. */
export const failOn = errorOutcomes([
	{ name: 'Denied', value: 'denied' },
	{ name: 'Expired', value: 'expired' },
	{ name: 'Gone', value: 'gone', description: 'The service no longer knows this ID' },
	{
		name: 'Still Outstanding',
		value: 'stillOutstanding',
		description: "Not decided within 'Max Wait for Decision'",
	},
]);

const FAILURE_MESSAGES: Record<string, (name?: string) => string> = {
	denied: (name = 'The user') => `${name} denied the approval request`,
	expired: (name = 'the user') => `The approval request expired before ${name} decided`,
	gone: () => 'The two-factor service no longer knows the approval request',
	stillOutstanding: (name = 'The user') => `${name} didn't decide in time`,
};

/**
 * Approval request that an item waits for. `subject` is the expected user, if known. `sent` is the question, if the item itself
 * sent it.
 */
export interface AwaitedApproval extends WaitTarget {
	sent?: SentQuestion;
}

/** The outputs of every operation that waits for a decision. */
export const decisionBranches: Branches = {
	names: ['Not Approved', 'Approved'],
	isPositive: ({ outcome }) => outcome === 'approved',
};

/** Starts every item with `begin`, and then waits for all decisions together. */
export const waitForDecisions = async <V extends WaitValues>(
	batch: Batch<V>,
	begin: WaitDefinition<V, AwaitedApproval>['begin'],
	shapeEnd: (values: V, call: ItemCall, end: EndedId, target: AwaitedApproval) => IDataObject = (
		values,
		call,
		end,
		target,
	) => toDecisionOutput(values, end, target, nameOfUser(call, target.subject)),
	quorum?: WaitDefinition<V, AwaitedApproval>['quorum'],
): Promise<ItemResult[] | EngineRequest> =>
	await beginAndWait(batch, {
		begin,
		poll: () => approvalPoll,
		questionOf: (output, target) => target?.sent?.message ?? plainText(output.message),
		nameOf: nameOfUser,
		conclude: async (values, call, end, target) =>
			withNames(
				shapeEnd(values, call, await withoutMismatch(end, target, call), target),
				peopleOf(call.connection),
			),
		quorum,
	});

/** Returns the end of a wait, without its outcome and record if these are an approval that does not count. */
async function withoutMismatch(
	end: EndedId,
	{ sent }: AwaitedApproval,
	{ client }: ItemCall,
): Promise<EndedId> {
	if (end.outcome !== 'approved') return end;
	const trouble = await findMismatch(asObject(end.result), sent, client);
	return trouble === undefined
		? end
		: { ...end, outcome: STILL_OUTSTANDING, result: undefined, trouble };
}

/** Returns the name of a user, if the credential has it. */
export const nameOfUser = ({ connection }: ItemCall, user: string | undefined) =>
	peopleOf(connection).nameOf(user);

/** Returns the output fields of a decision. Throws ServiceFailure for an outcome that the user chose in 'Fail On'. */
export function toDecisionOutput(
	values: WaitValues,
	end: EndedId,
	{ id, subject }: AwaitedApproval,
	userName?: string,
): IDataObject {
	const { outcome, trouble } = end;
	if (isErrorOutcome(values, outcome)) {
		const choice = "The item fails because this outcome is chosen in 'Fail On' in the options.";
		throw new ServiceFailure(FAILURE_MESSAGES[outcome]?.(userName) ?? `The outcome is ${outcome}`, {
			advice: trouble ? `${toSentence(trouble)} ${choice}` : choice,
		});
	}
	const approval = asObject(end.result);
	const seenAt = new Date(end.endedAt).toISOString();
	return {
		...approval,
		...(isAnswer(outcome) && { respondedAt: readApprovalAnswer(approval).respondedAt ?? seenAt }),
		...(subject !== undefined && { twofactor_id: normalizeId(subject) }),
		uuid: id,
		outcome,
		waitedSeconds: waitedSeconds(end),
		...(trouble ? { trouble } : {}),
	};
}

import type { IDataObject } from 'n8n-workflow';

import type { ServiceResponse } from '../../engine/http/types';
import type { Operation } from '../../engine/operation';
import { fieldsFirst } from '../../engine/run/output';
import { isSameId, normalizeId } from '../../engine/values/convert';
import { isRecord } from '../../engine/values/isRecord';
import type { People } from '../people';
import { findUserId, isFalse, otherFields, repeatedName, valuesNamed } from '../responses';
import { isAnswer, readApprovalAnswer } from './approvalAnswer';
import { namesAnotherUser } from './namesAnotherUser';

/** Approval request and user that a response must be about, as far as the caller knows them. */
interface ExpectedApproval {
	id?: string;
	user?: string;
}

/** Approval request in a response, or the reason why the response is not accepted. */
export type ApprovalReading = { approval: IDataObject } | { problem: string };

/** Output fields that the pack adds. */
const OWN_FIELDS = ['outcome', 'approved', 'respondedAt', 'responder', 'level', 'decisions'];

/** Fields that a record must not repeat in different case: it would be unclear which of them counts. */
const UNIQUE_NAMES = ['status', 'uuid', 'twofactor_id', '_twofactor_id'];

/**
 * Reads the approval request in a response. The response decides about access, so only this shape is accepted: one object,
 * exact names, a text as the status, numbers or texts as IDs, the expected ID. A user who is missing in it is not checked.
 */
export function readApproval(
	{ body }: ServiceResponse,
	expected: ExpectedApproval = {},
): ApprovalReading {
	const approval = isRecord(body) && 'approval_request' in body ? body.approval_request : body;
	if (!isRecord(approval)) return unrecognized('is not a single approval request');
	const repeated = repeatedName(approval, UNIQUE_NAMES);
	if (repeated !== undefined) return unrecognized(`has "${repeated}" more than once`);
	const { status } = approval;
	if (isGiven(status) && typeof status !== 'string') {
		return unrecognized('has a status that is not a text');
	}
	const uuid = approval.uuid ?? approval.id;
	if (isGiven(uuid) && !isTextOrNumber(uuid)) {
		return unrecognized('has an ID that is neither text nor number');
	}
	const { id, user } = expected;
	if (id !== undefined && !isGiven(uuid)) return unrecognized('has no ID of an approval request');
	if (id !== undefined && !isSameId(uuid, id)) {
		return { problem: 'The two-factor service answered about a different request' };
	}
	if (user !== undefined && namesAnotherUser(approval, user)) {
		return { problem: 'The two-factor service answered about a different user' };
	}
	if (deniesApproval(body, approval)) return unrecognized('contradicts itself about the decision');
	return { approval: withUser(approval, uuid, user) };
}

const DENIAL = /^(denied|rejected|declined|expired|pending|cancel)/i;

/** Whether an approved request, or the object around it, also says that the request was not approved. */
function deniesApproval(body: unknown, approval: IDataObject): boolean {
	if (!/^approved$/i.test(`${approval.status}`.trim())) return false;
	const records = isRecord(body) && body !== approval ? [body, approval] : [approval];
	return records.some(
		(record) =>
			valuesNamed(record, 'approved').some(isFalse) ||
			['status', 'decision', 'outcome', 'result']
				.flatMap((name) => valuesNamed(record, name))
				.some((value) => typeof value === 'string' && DENIAL.test(value.trim())),
	);
}

const unrecognized = (predicate: string): ApprovalReading => ({
	problem: `The two-factor service's answer ${predicate}`,
});

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const isTextOrNumber = (value: unknown): boolean =>
	typeof value === 'string' || typeof value === 'number';

/** Returns the approval request, ID first, with the user who was asked or, if unknown, the user whom the record names. */
function withUser(
	approval: IDataObject,
	uuid: IDataObject[string],
	knownUser: string | undefined,
): IDataObject {
	// `uuid` replaces both IDs. The service's own fields must not pass for output fields of the pack.
	const others = otherFields(approval, 'id', 'uuid', ...OWN_FIELDS);
	const user = knownUser === undefined ? findUserId(others) : normalizeId(knownUser);
	return { uuid, ...others, ...(user !== undefined && { twofactor_id: user }) };
}

type OutputSchema = NonNullable<Operation['outputSchema']>;

/** Output fields of every approval request: ID and outcome first, as in the trigger. */
export const approvalOutputSchema = {
	id: 'string',
	outcome: 'string',
	twofactor_id: 'integer',
	message: 'string',
	details: 'object',
} as const;

/** Output fields that a wait adds. */
export const waitOutputSchema = { waitedSeconds: 'number', trouble: 'string' } as const;

/** Fields that Simplify keeps but n8n's preview omits: they exist only with some services, or for an agent. */
const UNPREVIEWED_FIELDS = ['hidden_details', 'chatInput', 'review'];

export const approvalShape = (outputSchema: OutputSchema) => ({
	simplify: [...Object.keys(outputSchema), ...UNPREVIEWED_FIELDS].flatMap((field) =>
		// The name exists only if the credential has it, so n8n's preview omits it.
		field === 'twofactor_id' ? [field, 'name'] : [field],
	),
	outputSchema,
	transformRecord,
});

/** Adds the names that the credential has for the user and the responder of an approval request. */
export function withNames(approval: IDataObject, { nameOf }: People): IDataObject {
	const name = nameOf(approval.twofactor_id);
	const { responder = {} } = isAnswer(outcomeOf(approval)) ? readApprovalAnswer(approval) : {};
	const responderName = nameOf(responder.twofactor_id);
	return {
		...approval,
		...(name !== undefined && { name }),
		...(responderName !== undefined && { responder: { ...responder, name: responderName } }),
	};
}

const outcomeOf = ({ outcome, status }: IDataObject): unknown =>
	outcome ?? (typeof status === 'string' ? status.toLowerCase() : undefined);

const orderFields = fieldsFirst('id', 'outcome', 'approved');

function transformRecord(record: IDataObject): IDataObject {
	const { uuid, finishedAt } = record;
	const outcome = outcomeOf(record);
	return orderFields({
		...(uuid !== undefined && { id: uuid }),
		...(outcome !== undefined && { outcome }),
		// If the service gives no time, `respondedAt` is the time when the trigger saw the answer.
		...(isAnswer(outcome) && {
			...(finishedAt !== undefined && { respondedAt: finishedAt }),
			...readApprovalAnswer(record),
		}),
		...record,
	});
}

import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../engine/http/types';
import type { Operation } from '../../engine/operation';
import { inOrder } from '../../engine/run/output';
import { asId, isRecord } from '../../engine/values/convert';
import { findUserId, otherFields, repeatedName } from '../answers';
import { namesAnotherUser } from './identity';

/** What an answer must be about, as far as the caller knows: a request, and the user who was asked. */
interface ExpectedApproval {
	id?: string;
	user?: string;
}

/** The approval request that an answer is about, or why the answer is none. */
export type ApprovalReading = { approval: IDataObject } | { problem: string };

/** Names that the service must use once in a record, whatever the case of their letters. */
const UNIQUE_NAMES = ['status', 'uuid', 'twofactor_id', '_twofactor_id'];

/**
 * Reads the approval request in an answer. The answer decides about access, so nothing is guessed: one object, exact names,
 * a text as its status, numbers or texts as its IDs. An ID that is missing is not checked.
 */
export function readApproval({ body }: Answer, expected: ExpectedApproval = {}): ApprovalReading {
	const approval = isRecord(body) && 'approval_request' in body ? body.approval_request : body;
	if (!isRecord(approval)) return unrecognized('is not a single approval request');
	const repeated = repeatedName(approval, UNIQUE_NAMES);
	if (repeated !== undefined) return unrecognized(`has "${repeated}" more than once`);
	const { status } = approval;
	if (isGiven(status) && typeof status !== 'string') {
		return unrecognized('has a status that is no text');
	}
	const uuid = approval.uuid ?? approval.id;
	if (isGiven(uuid) && !isTextOrNumber(uuid)) {
		return unrecognized('has an ID that is neither text nor number');
	}
	const { id, user } = expected;
	if (id !== undefined && isGiven(uuid) && !isSameId(uuid, id)) {
		return { problem: 'The two-factor service answered about a different request' };
	}
	if (user !== undefined && namesAnotherUser(approval, user)) {
		return { problem: 'The two-factor service answered about a different user' };
	}
	return { approval: withUser(approval, uuid, user) };
}

const unrecognized = (what: string): ApprovalReading => ({
	problem: `The two-factor service's answer ${what}`,
});

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const isTextOrNumber = (value: unknown): boolean =>
	typeof value === 'string' || typeof value === 'number';

const isSameId = (given: unknown, id: string): boolean =>
	`${given}`.trim().toLowerCase() === id.trim().toLowerCase();

/** The approval request, its ID first, with the user who was asked or, where that is not known, whom the record names. */
function withUser(
	approval: IDataObject,
	uuid: IDataObject[string],
	knownUser: string | undefined,
): IDataObject {
	// Output fields of the pack: a field of the service by the same name must not pass for one.
	const others = otherFields(approval, 'id', 'uuid', 'outcome', 'approved');
	const user = knownUser === undefined ? findUserId(others) : asId(knownUser);
	return { uuid, ...others, ...(user !== undefined && { twofactor_id: user }) };
}

type Yields = NonNullable<Operation['yields']>;

/** What every approval request comes out with: its ID and the field to branch on first, as in the trigger. */
export const approvalYields = {
	id: 'string',
	outcome: 'string',
	twofactor_id: 'integer',
	message: 'string',
	details: 'object',
} as const;

/** What waiting for it adds. */
export const waitYields = { waitedSeconds: 'number', trouble: 'string' } as const;

/** Kept where they come, which a preview cannot know: what services may give back, and what an agent is told. */
const UNPREVIEWED_FIELDS = ['hidden_details', 'chatInput', 'review'];

/** What Simplify leaves, and what n8n previews of it. */
export const approvalShape = (yields: Yields) => ({
	simplify: [...Object.keys(yields), ...UNPREVIEWED_FIELDS],
	yields,
	tidy,
});

const orderFields = inOrder('id', 'outcome', 'approved');

function tidy(record: IDataObject): IDataObject {
	const { uuid, status } = record;
	return orderFields({
		...(uuid !== undefined && { id: uuid }),
		...(typeof status === 'string' && { outcome: status.toLowerCase() }),
		...record,
	});
}

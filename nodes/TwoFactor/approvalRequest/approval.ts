import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../engine/http/types';
import type { Operation } from '../../engine/operation';
import { inOrder } from '../../engine/run/output';
import { asId } from '../../engine/values/convert';
import { asObject, rest, userId } from '../answers';

type Value = IDataObject[string];

/** The approval request in an answer, its id first, and whose it is. */
export function approvalIn({ body }: Answer): IDataObject {
	const answer = asObject(body);
	const approval = 'approval_request' in answer ? asObject(answer.approval_request) : answer;
	// Names of ours: what the service calls so must not pass for it.
	const others = rest(approval, 'id', 'uuid', 'outcome', 'approved');
	const twofactor_id = userId(others);
	const user = twofactor_id === undefined ? {} : { twofactor_id };
	return { uuid: approval.uuid ?? approval.id, ...others, ...user };
}

/** The user as the answer writes it; the one who was asked where the answer seems to name somebody else. */
export const userAsked = (named: Value, asked: string): Value =>
	String(named) === asked ? named : asId(asked);

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
const UNSEEN = ['hidden_details', 'chatInput'];

/** What Simplify leaves, and what n8n previews of it. */
export const approvalShape = (yields: Yields) => ({
	simplify: [...Object.keys(yields), ...UNSEEN],
	yields,
	tidy,
});

const first = inOrder('id', 'outcome', 'approved');

function tidy(record: IDataObject): IDataObject {
	const { uuid, status } = record;
	return first({
		...(uuid !== undefined && { id: uuid }),
		...(typeof status === 'string' && { outcome: status.toLowerCase() }),
		...record,
	});
}

import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../engine/http/types';
import { asObject, rest, userId } from '../answers';

type Value = IDataObject[string];

/** The approval request in an answer, its id first, and whose it is. */
export function approvalIn({ body }: Answer): IDataObject {
	const answer = asObject(body);
	const approval = 'approval_request' in answer ? asObject(answer.approval_request) : answer;
	const others = rest(approval, 'id', 'uuid');
	const twofactor_id = userId(others);
	const user = twofactor_id === undefined ? {} : { twofactor_id };
	return { uuid: approval.uuid ?? approval.id, ...others, ...user };
}

/** The user as the answer writes it; the one who was asked where the answer seems to name somebody else. */
export const userAsked = (named: Value, asked: string): Value =>
	String(named) === asked ? named : asked;

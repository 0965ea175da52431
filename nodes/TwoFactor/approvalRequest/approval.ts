import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../engine/request';
import { asObject, rest } from '../answers';

/** The approval request in an answer, its id first. */
export function approvalIn({ body }: Answer): IDataObject {
	const answer = asObject(body);
	const approval = 'approval_request' in answer ? asObject(answer.approval_request) : answer;
	return { uuid: approval.uuid ?? approval.id, ...rest(approval, 'id', 'uuid') };
}

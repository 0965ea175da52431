import type { IDataObject } from 'n8n-workflow';

import { asObject, findUserId, valuesNamed } from '../responses';

/** The answer to an approval request: when it was given, by the service's clock, and by whom, as far as the record says. */
export interface ApprovalAnswer {
	respondedAt?: string;
	responder?: IDataObject;
}

/** Output fields of an answer. */
export const answerOutputSchema = { respondedAt: 'string', responder: 'object' } as const;

/** Outcomes that are the answer of a person. */
export const isAnswer = (outcome: unknown): boolean =>
	outcome === 'approved' || outcome === 'denied';

/** Reads who answered an approval request, and when. */
export function readApprovalAnswer(record: unknown): ApprovalAnswer {
	const approval = asObject(record);
	const user = asObject(approval.user ?? approval._user);
	const id = approval.twofactor_id ?? findUserId(approval);
	const name = firstString([...valuesNamed(user, 'name'), ...valuesNamed(approval, 'user_name')]);
	const email = firstString([
		...valuesNamed(user, 'email'),
		...valuesNamed(approval, 'user_email'),
	]);
	const time = typeof approval.processed_at === 'string' ? Date.parse(approval.processed_at) : NaN;
	const responder = {
		...(id !== undefined && { twofactor_id: id }),
		...(name !== undefined && { name }),
		...(email !== undefined && { email }),
	};
	return {
		...(!Number.isNaN(time) && { respondedAt: new Date(time).toISOString() }),
		...(Object.keys(responder).length > 0 && { responder }),
	};
}

const firstString = (values: unknown[]): string | undefined =>
	values.find((value): value is string => typeof value === 'string' && value.trim() !== '');

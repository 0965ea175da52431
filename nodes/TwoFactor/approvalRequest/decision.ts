import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import type { Batch, Call, Result } from '../../engine/operation';
import type { Question } from '../../engine/wait/ask';
import { beginAndWait } from '../../engine/wait/beginAndWait';
import type { Begun, WaitedFor } from '../../engine/wait/beginAndWait';
import { errorOutcomes, isError } from '../../engine/wait/wait';
import type { WaitValues } from '../../engine/wait/wait';
import { waitedSeconds } from '../../engine/watch';
import type { Ended } from '../../engine/watch';
import { asObject } from '../answers';
import { approvalIn, userAsked } from './approval';

/** What the service calls the ends of an approval request. A poller that forgets the last one never ends. */
const ENDS = ['approved', 'denied', 'expired'];

/** How an approval request is asked after. Any other state is not an end, whatever a service calls it. */
export const question: Question = {
	request: (uuid) => ({
		method: 'GET',
		path: '/onetouch/json/approval_requests/{uuid}',
		params: { uuid },
		accept: ({ status, kind }) => status === 404 && kind === 'json',
	}),
	read: (answer) => {
		if (answer.status === 404) return { kind: 'missing' };
		const approval = approvalIn(answer);
		const outcome = String(approval.status).toLowerCase();
		return ENDS.includes(outcome)
			? { kind: 'finished', outcome, result: approval }
			: { kind: 'pending', note: approval };
	},
};

/** Which outcomes make an item fail. */
export const failOn = errorOutcomes([
	{ name: 'Denied', value: 'denied' },
	{ name: 'Expired', value: 'expired' },
	{ name: 'Gone', value: 'gone', description: 'The service no longer knows the approval request' },
	{
		name: 'Still Outstanding',
		value: 'stillOutstanding',
		description: 'The time to wait is over and nothing was decided',
	},
]);

const WORDS: Record<string, string> = {
	denied: 'The user denied the approval request',
	expired: 'The approval request expired before the user decided',
	gone: 'The two-factor service does not know the approval request any more',
	stillOutstanding: 'The user did not decide in the time to wait',
};

/** What a waiting operation yields. */
export const decisionYields = {
	uuid: 'string',
	twofactor_id: 'integer',
	outcome: 'string',
	waitedSeconds: 'number',
	status: 'string',
	message: 'string',
	details: 'object',
	processed_at: 'string',
} as const;

/** An approval request that an item waits for. */
export interface Approval extends WaitedFor {
	/** The user, where the item itself has asked. */
	asked?: string;
}

/** Has every item begin, and then waits for all decisions together. */
export const waitForDecisions = async <V extends WaitValues>(
	batch: Batch<V>,
	begin: (values: V, call: Call) => Promise<Begun<Approval>>,
): Promise<Result[]> => await beginAndWait(batch, begin, question, decided);

function decided(values: WaitValues, _: Call, end: Ended, { id, asked }: Approval): IDataObject {
	const { outcome, trouble } = end;
	if (isError(values, outcome)) {
		const choice = 'Outcomes That Are Errors, in the options, makes this an error.';
		throw new ServiceFailure(WORDS[outcome] ?? `The outcome is ${outcome}`, {
			advice: [trouble, choice].filter(Boolean).join('. '),
		});
	}
	const approval = asObject(end.result);
	return {
		...approval,
		...(asked !== undefined && { twofactor_id: userAsked(approval.twofactor_id, asked) }),
		uuid: id,
		outcome,
		waitedSeconds: waitedSeconds(end),
		...(trouble ? { trouble } : {}),
	};
}

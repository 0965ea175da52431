import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import type { Batch, Call, Result } from '../../engine/operation';
import { afterBeginning, errorOutcomes, isError, waitTogether } from '../../engine/wait/wait';
import type { Inquiry, Wait } from '../../engine/wait/wait';
import type { Ended } from '../../engine/watch';
import { approvalIn, userAsked } from './approval';

/** What the service calls the ends of an approval request. A poller that forgets the last one never ends. */
const ENDS = ['approved', 'denied', 'expired'];

/** How an approval request is asked after. Any other state is not an end, whatever a service calls it. */
export const inquiry: Inquiry = {
	request: (uuid) => ({
		method: 'GET',
		path: '/onetouch/json/approval_requests/{uuid}',
		params: { uuid },
		accept: ({ status, kind }) => status === 404 && kind === 'json',
	}),
	read: (answer) => {
		if (answer.status === 404) return { kind: 'missing' };
		const approval = approvalIn(answer);
		const outcome = `${approval.status as string}`.toLowerCase();
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

/** What an item has done before it waits, and for what it waits. */
export interface Begun {
	uuid: string;
	output: IDataObject;
	wait: boolean;
	/** The user, where the item itself has asked. */
	asked?: string;
}

/**
 * Begins every item by the engine's rules, and then waits for all decisions together. Where an item has failed and the user
 * did not choose to go on, nothing is waited for.
 */
export async function beginAndWait(
	batch: Batch,
	begin: (call: Call) => Promise<Begun>,
): Promise<Result[]> {
	const begun = new Map<Call, Begun>();
	const first = await batch.each(async (call) => {
		const item = await begin(call);
		begun.set(call, item);
		return item.output;
	});
	const waits = [...begun].flatMap(([call, { uuid, wait }]): Wait[] =>
		wait ? [{ call, id: uuid }] : [],
	);
	const stopped = !batch.continueOnFail && first.some((result) => 'error' in result);
	if (waits.length === 0 || stopped) return first;
	const ends = await waitTogether(waits, inquiry);
	const results = new Map(batch.calls.map((call, index) => [call, first[index]!]));
	return await batch.each(async (call) => {
		const result = results.get(call)!;
		if ('error' in result) throw result.error;
		const end = ends.get(call);
		return end ? decided(end, begun.get(call)!, call) : result.items;
	});
}

function decided(end: Ended | Error, { uuid, output, asked }: Begun, call: Call): IDataObject {
	if (end instanceof Error) {
		throw output.uuid ? afterBeginning(end, `The approval request ${uuid} was sent`) : end;
	}
	const { outcome, trouble } = end;
	if (isError(call, outcome)) {
		const choice = 'Outcomes That Are Errors, in the options, makes this an error.';
		throw new ServiceFailure(WORDS[outcome] ?? `The outcome is ${outcome}`, {
			advice: [trouble, choice].filter(Boolean).join('. '),
		});
	}
	const approval = (end.result ?? {}) as IDataObject;
	return {
		...output,
		...approval,
		...(asked !== undefined && { twofactor_id: userAsked(approval.twofactor_id, asked) }),
		uuid,
		outcome,
		waitedSeconds: Math.round((end.finishedAt - end.firstSeen) / 100) / 10,
		...(trouble ? { trouble } : {}),
	};
}

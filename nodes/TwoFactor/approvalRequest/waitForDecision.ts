import type { Operation } from '../../engine/operation';
import { missing } from '../../engine/http/path';
import { checkEvery, waitLimit } from '../../engine/wait/wait';
import { approvalUuid } from '../fields';
import { decisionYields, failOn, waitForDecisions } from './decision';

/** Polls approval requests until each is decided, expired or out of time. */
export const waitForDecision: Operation = {
	name: 'Wait for Decision',
	action: 'Wait for the decision on an approval request',
	description:
		'Wait until the user has approved or denied an approval request or it has expired, up to a limit. "outcome" says which: approved, denied, expired, stillOutstanding (the limit was reached) or gone.',
	fields: [{ ...approvalUuid, target: undefined }, waitLimit],
	options: [failOn, checkEvery],
	repeatable: true,
	together: async (batch) =>
		await waitForDecisions(batch, async (call) => {
			const uuid = `${call.field('uuid') ?? ''}`.trim();
			if (uuid === '') throw missing(approvalUuid.displayName);
			return { output: {}, wait: { id: uuid } };
		}),
	yields: decisionYields,
};

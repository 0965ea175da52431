import { operation } from '../../engine/operation';
import { checkEvery, waitLimit } from '../../engine/wait/wait';
import { approvalUuid, expectedUser } from '../fields';
import { approvalShape, approvalOutputSchema, waitOutputSchema } from './approval';
import { answerOutputSchema } from './approvalAnswer';
import { decisionBranches, failOn, waitForDecisions } from './decision';

/** Polls approval requests until each is decided or expired, or its wait is over. */
export const waitForDecision = operation({
	name: 'Wait for Decision',
	action: 'Wait for the decision on an approval request',
	description: 'Wait until an approval request is approved, denied or expired',
	fields: { uuid: { ...approvalUuid, target: undefined }, waitLimit: waitLimit('Decision') },
	options: { expectedUser, errorOutcomes: failOn, checkEvery },
	idempotent: true,
	runBatch: async (batch) =>
		await waitForDecisions(batch, async ({ uuid, expectedUser: subject }) => ({
			output: {},
			wait: { id: uuid, subject },
		})),
	branches: decisionBranches,
	...approvalShape({ ...approvalOutputSchema, ...answerOutputSchema, ...waitOutputSchema }),
});

import type { Read } from '../../engine/field';
import { pathText } from '../../engine/http/path';
import { operation } from '../../engine/operation';
import { checkEvery, waitLimit } from '../../engine/wait/wait';
import { approvalUuid } from '../fields';
import { decisionYields, failOn, waitForDecisions } from './decision';

/** How long an ID may be is for the wait itself to say. */
const idToWatch: Read<string> = (given, _, label) => pathText(label, given);

/** Polls approval requests until each is decided, expired or out of time. */
export const waitForDecision = operation({
	name: 'Wait for Decision',
	action: 'Wait for the decision on an approval request',
	description:
		'Wait until the user has approved or denied an approval request or it has expired, up to a limit. "outcome" says which: approved, denied, expired, stillOutstanding (the limit was reached) or gone.',
	fields: { uuid: { ...approvalUuid, read: idToWatch, target: undefined }, waitLimit },
	options: { errorOutcomes: failOn, checkEvery },
	repeatable: true,
	together: async (batch) =>
		await waitForDecisions(batch, async ({ uuid }) => ({ output: {}, wait: { id: uuid } })),
	yields: decisionYields,
});

import { resource } from '../../engine/operation';
import { create } from './create';
import { get } from './get';
import { sendAndWait } from './sendAndWait';
import { waitForDecision } from './waitForDecision';

export const approvalRequest = resource({
	name: 'Approval Request',
	description: "A question pushed to the user's app, to approve or deny",
	operations: { create, get, sendAndWait, waitForDecision },
	defaultOperation: 'create',
});

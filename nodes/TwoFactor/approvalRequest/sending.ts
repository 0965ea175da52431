import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import type { Request } from '../../engine/http/types';
import type { Call } from '../../engine/operation';
import { approvalIn, userAsked } from './approval';

/** The label of the trigger's field that IDs are typed into. */
export const TRIGGER_FIELD = 'Approval Request IDs';

/** Pushes a question to the app of the user who is asked, and gives the approval request that came of it. */
export async function sendApproval(
	request: Request,
	asked: string,
	call: Call,
): Promise<IDataObject & { uuid: string }> {
	const { uuid: id, ...rest } = approvalIn(await call.send(request));
	const uuid = typeof id === 'number' ? `${id}` : id;
	if (typeof uuid !== 'string' || uuid.trim() === '') {
		throw new ServiceFailure('The service sent the approval request but returned no ID', {
			advice: "The user may have received it, but its outcome can't be checked. Ask the provider.",
		});
	}
	return { uuid, ...rest, twofactor_id: userAsked(rest.twofactor_id, asked) };
}

/** What is said of it when waiting for the decision fails. */
export const wasSent = (uuid: string) => `The approval request ${uuid} was sent`;

import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import type { Request } from '../../engine/http/types';
import type { Call } from '../../engine/operation';
import { readApproval } from './approval';

/** Label of the trigger's field for IDs, for messages. */
export const TRIGGER_FIELD = 'Approval Request IDs';

/** Pushes a question to the user's app and returns the created approval request. */
export async function sendApproval(
	request: Request,
	user: string,
	call: Call,
): Promise<IDataObject & { uuid: string }> {
	const response = await call.send(request);
	const reading = readApproval(response, { user });
	if ('problem' in reading) throw unknownOutcome(reading.problem);
	const { uuid: id, ...rest } = reading.approval;
	const uuid = typeof id === 'number' ? `${id}` : id;
	if (typeof uuid !== 'string' || uuid.trim() === '') {
		throw unknownOutcome('The service sent the approval request but returned no ID');
	}
	return { uuid, ...rest };
}

/** Error for a request that the service accepted, but whose decision cannot be polled. */
const unknownOutcome = (message: string) =>
	new ServiceFailure(message, {
		advice: "The user may have received it, but its outcome can't be checked. Ask the provider.",
	});

/** Message about the sent request, for errors of the wait. */
export const describeSent = (uuid: string) => `The approval request ${uuid} was sent`;

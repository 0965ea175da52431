import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import type { Request, ServiceResponse } from '../../engine/http/types';
import type { ItemCall } from '../../engine/operation';
import { markAsked } from '../../engine/park/askedRuns';
import { readApproval } from './approval';

/** Label of the trigger's field for IDs, for messages. */
export const APPROVAL_REQUEST_IDS_FIELD = 'Approval Request IDs';

type SentApproval = IDataObject & { uuid: string };

/** Reads the approval request that the service created, or the reason why its decision cannot be polled. */
export function readSent(
	response: ServiceResponse,
	user: string,
): { approval: SentApproval } | { problem: string } {
	const reading = readApproval(response, { user });
	if ('problem' in reading) return reading;
	const { uuid: id, ...rest } = reading.approval;
	const uuid = typeof id === 'number' ? `${id}` : id;
	if (typeof uuid === 'string' && uuid.trim() !== '') return { approval: { uuid, ...rest } };
	return { problem: 'The service sent the approval request but returned no ID' };
}

/** Pushes a question to the user's app and returns the created approval request. */
export async function sendApproval(
	request: Request,
	user: string,
	call: ItemCall,
): Promise<SentApproval> {
	const response = await call.send(request);
	markAsked(call.context);
	const reading = readSent(response, user);
	if ('problem' in reading) throw unknownOutcomeError(reading.problem);
	return reading.approval;
}

/** Error for a request that the service accepted, but whose decision cannot be polled. */
const unknownOutcomeError = (message: string) =>
	new ServiceFailure(message, {
		advice: "The user may have received it, but its outcome can't be checked. Ask the provider.",
	});

/** Message about the sent request, for errors of the wait. */
export const describeSent = (uuid: string) => `The approval request ${uuid} was sent`;

/** Message about several sent requests, for errors. */
export const describeAllSent = (uuids: string[]) =>
	uuids.length === 1
		? describeSent(uuids[0]!)
		: `The approval requests ${uuids.join(', ')} were sent`;

import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import { readRecords } from '../../engine/http/pages';
import { toPathSegment } from '../../engine/http/path';
import { strictRecords } from '../../engine/http/records';
import type { Request } from '../../engine/http/types';
import type { ItemCall } from '../../engine/operation';
import { idNumberReader } from '../../engine/values/convert';
import { pagingByRecordId } from '../paging';

const listRequest = (path: string, eventId: string, sessionId?: string): Request => ({
	method: 'GET',
	path,
	params: {
		eventId: toPathSegment('Event', eventId),
		...(sessionId !== undefined && { sessionId: toPathSegment('Session', sessionId) }),
	},
	idempotent: true,
});

/** Reads all registrations of an event, canceled ones included. */
export const readRegistrations = async (call: ItemCall, eventId: string) =>
	await readComplete(call, listRequest('/api/v1/events/{eventId}/registrations', eventId), {
		idField: 'RegistrationId',
		plural: 'registrations',
	});

/** Reads all check-ins to an event, or to one of its sessions. */
export const readCheckIns = async (call: ItemCall, eventId: string, sessionId?: string) => {
	const path = '/api/v1/events/{eventId}/attendance';
	return await readComplete(
		call,
		listRequest(sessionId === undefined ? path : `${path}/{sessionId}`, eventId, sessionId),
		{ idField: 'CheckInLogId', plural: 'check-ins' },
	);
};

/** Reads all payments and refunds of an event. */
export const readTransactions = async (call: ItemCall, eventId: string) => {
	const search: Request = {
		method: 'POST',
		path: '/api/v1/transactions/search',
		// The body is the ID alone, as a number.
		json: idNumberReader('Event')(eventId),
		idempotent: true,
	};
	return await readComplete(call, search, { idField: 'TransactionId', plural: 'transactions' });
};

/**
 * Reads a list to its end. Throws if the list may be incomplete or the response is not a list of records. Otherwise a person
 * whose check-in was not read would be reported as missing.
 */
async function readComplete(
	call: ItemCall,
	request: Request,
	{ idField, plural }: { idField: string; plural: string },
): Promise<IDataObject[]> {
	const paging = pagingByRecordId(idField);
	const incomplete = (reason: string) =>
		new ServiceFailure(
			`The ${call.service.name} did not return a complete list of ${plural}, so the result would be wrong`,
			{
				advice: `${reason}. Try again later; if this keeps happening, check the base URL and First Page Number in the credential.`,
			},
		);
	return await readRecords(call.client, request, {
		paging,
		max: { records: Infinity },
		inspect: (response) => {
			if (response.status === 204) return { ...response, kind: 'json' as const, body: [] };
			const result = strictRecords(response.body, paging);
			if (!result?.isList) throw incomplete(`Its answer isn't a list of ${plural}`);
			return response;
		},
		// Omits the message, because its advice is for lists with filters.
		warn: (_, reason) => {
			throw incomplete(reason);
		},
	});
}

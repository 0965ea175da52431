import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import { readRecords } from '../../engine/http/pages';
import { toPathSegment } from '../../engine/http/path';
import { strictReading } from '../../engine/http/strictReading';
import type { Request } from '../../engine/http/types';
import type { ItemCall } from '../../engine/operation';
import { idNumberReader } from '../../engine/values/convert';
import { lists } from '../lists';
import type { ServiceList } from '../lists';

/** Reads all registrations of an event, canceled ones included. */
export const readRegistrations = async (call: ItemCall, eventId: string) =>
	await readComplete(call, lists.registrations, {
		method: 'GET',
		params: { eventId: toPathSegment('Event', eventId) },
	});

/** Reads all check-ins to an event, or to one of its sessions. */
export const readCheckIns = async (call: ItemCall, eventId: string, sessionId?: string) =>
	await readComplete(call, sessionId === undefined ? lists.attendance : lists.sessionAttendance, {
		method: 'GET',
		params: {
			eventId: toPathSegment('Event', eventId),
			...(sessionId !== undefined && { sessionId: toPathSegment('Session', sessionId) }),
		},
	});

/** Reads all payments and refunds of an event. */
export const readTransactions = async (call: ItemCall, eventId: string) =>
	await readComplete(call, lists.eventTransactions, {
		method: 'POST',
		// The body is the ID alone, as a number.
		json: idNumberReader('Event')(eventId),
	});

/**
 * Reads a list to its end. Throws if the list may be incomplete or the response is not a list of records. Otherwise a person
 * whose check-in was not read would be reported as missing.
 */
async function readComplete(
	call: ItemCall,
	{ nouns: [, plural], path, paging }: ServiceList,
	request: Omit<Request, 'path'>,
): Promise<IDataObject[]> {
	const incomplete = (reason = `Its answer isn't a list of ${plural}`) =>
		new ServiceFailure(
			`The ${call.service.name} did not return a complete list of ${plural}, so the result would be wrong`,
			{
				advice: `${reason}. Try again later; if this keeps happening, check the base URL and First Page Number in the credential.`,
			},
		);
	const reading = strictReading(
		{ ...request, path, idempotent: true },
		{ paging, max: { records: Infinity }, incomplete },
	);
	return await readRecords(call.client, ...reading);
}

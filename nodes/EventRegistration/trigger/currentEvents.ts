import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../engine/http/client';
import { dateOf } from '../../engine/http/date';
import { readRecords } from '../../engine/http/pages';
import { idOf } from '../../engine/http/records';
import { strictReading } from '../../engine/http/strictReading';
import type { Request } from '../../engine/http/types';
import { lists } from '../lists';
import type { ListOwner } from './followedLists';

/** How long the trigger follows an event after its end: refunds and check-outs may still come. */
const FOLLOWED_AFTER_END_MS = 30 * 24 * 3_600_000;

const { path, paging } = lists.events;
const request: Request = { method: 'GET', path, idempotent: true };

/**
 * Reads the events that are upcoming, in progress or ended recently. `date` is the Date header of the first response that has
 * one.
 */
export async function readCurrentEvents(
	client: Client,
): Promise<{ owners: ListOwner[]; date: number | undefined }> {
	let date: number | undefined;
	const reading = strictReading(request, {
		paging,
		inspect: (response) => {
			date ??= dateOf(response);
			return response;
		},
	});
	const records = await readRecords(client, ...reading);
	const owners = records.flatMap((record) => {
		const id = idOf(record, paging);
		return id !== undefined && isCurrent(record, date ?? Date.now())
			? [{ id: `${id}`, record }]
			: [];
	});
	return { owners, date };
}

/**
 * Whether the trigger follows an event. The event ends at `EndDate`, or at `StartDate` if `EndDate` is missing. If the date
 * is invalid or both are missing, the trigger follows the event.
 */
function isCurrent({ EndDate, StartDate }: IDataObject, now: number): boolean {
	const end = Date.parse(`${EndDate ?? StartDate ?? ''}`);
	return Number.isNaN(end) || end + FOLLOWED_AFTER_END_MS >= now;
}

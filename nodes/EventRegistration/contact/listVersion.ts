import { dateOf } from '../../engine/http/date';
import { recordsOf } from '../../engine/http/records';
import type { Request, ServiceResponse } from '../../engine/http/types';
import type { ItemCall } from '../../engine/operation';
import { textOf } from '../form/readForm';
import { lists } from '../lists';

/** The number of contacts and the time of the last change: both change when contacts are added or removed. */
export interface ListVersion {
	count?: number;
	/** Empty if the service gives no time. */
	updated: string;
	serviceTime?: number;
}

export async function readListVersion(
	call: ItemCall,
	{ params }: Pick<Request, 'params'>,
): Promise<ListVersion> {
	const { recordPath: path } = lists.contactLists;
	return listVersionIn(await call.send({ method: 'GET', path, params, idempotent: true }));
}

/** Returns the version of the contact list that a response contains. */
export function listVersionIn(response: ServiceResponse): ListVersion {
	const [record = {}] = recordsOf(response.body, lists.contactLists.paging);
	const { ContactCount, LastUpdated } = record;
	const count = textOf(ContactCount).trim() === '' ? NaN : Number(ContactCount);
	return {
		...(Number.isFinite(count) && { count }),
		updated: textOf(LastUpdated),
		serviceTime: dateOf(response),
	};
}

/**
 * Whether no contact was added or removed between two versions. Versions without a time count as different: one contact may
 * have replaced another.
 */
export const isSameVersion = (version: ListVersion, other: ListVersion): boolean =>
	version.count === other.count && version.updated === other.updated && version.updated !== '';

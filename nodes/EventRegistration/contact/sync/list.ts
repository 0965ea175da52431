import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../../engine/errors';
import { toPathSegment } from '../../../engine/http/path';
import type { PathSegment } from '../../../engine/http/path';
import { idOf, oneRecord } from '../../../engine/http/records';
import type { ItemCall } from '../../../engine/operation';
import { readRecordTime } from '../../../engine/values/recordTime';
import { contactForm } from '../../form/formDefinitions';
import { customFields, textOf } from '../../form/readForm';
import { lists } from '../../lists';
import { normalizeEmail } from '../../write/findByEmail';
import { EMAIL, normalizeMatchKey } from './plan';
import { countFilledFields } from './proofs';
import type { ListedContact, SyncScope } from './types';

/** The list that Sync changes. All requests of a Sync belong to one input item, whose options apply. */
export interface SyncedList {
	call: ItemCall;
	params: { contactListId: PathSegment };
}

export const contactParams = ({ params }: SyncedList, { id }: ListedContact) => ({
	...params,
	contactId: toPathSegment('Contact', id),
});

/**
 * Creates a function that returns a contact's value by the name of a form field; undefined if the record does not have the
 * field.
 */
export function fieldReader(record: IDataObject): (name: string) => unknown {
	const custom = customFields(record.CustomFields) ?? new Map<string, unknown>();
	return (name) => {
		if (custom.has(name) && !Object.hasOwn(contactForm.properties, name)) return custom.get(name);
		return Object.hasOwn(record, name) ? record[name] : undefined;
	};
}

/** Reduces a record of the service to what Sync compares. */
export function toListedContact(
	record: IDataObject,
	{ matchBy, fields }: SyncScope,
): ListedContact {
	const valueOf = fieldReader(record);
	const isEmailMapped = fields.some(({ name }) => name === EMAIL);
	const filledCounts = countFilledFields(record);
	return {
		// The strict check of the response has found an ID in every record.
		id: idOf(record, lists.contacts.paging)!,
		key: normalizeMatchKey(matchBy, textOf(valueOf(matchBy))),
		email: isEmailMapped ? normalizeEmail(valueOf(EMAIL)) : '',
		values: fields.map(({ name }) => textOf(valueOf(name))),
		propertyCount: filledCounts.property,
		customCount: filledCounts.custom,
		addedAt: timeIn(record, 'DateAdded'),
		updatedAt: timeIn(record, 'LastUpdated'),
	};
}

function timeIn(record: IDataObject, name: string): number | undefined {
	const { latest = NaN } = readRecordTime(record, [name]) ?? {};
	return Number.isNaN(latest) ? undefined : latest;
}

/** Returns the record of a contact that was read. Throws if the response is not about this contact. */
export function contactIn(body: unknown, { id }: ListedContact): IDataObject {
	const { record, actual = 'another contact' } = oneRecord(body, lists.contacts.recordPath);
	if (record && `${idOf(record, lists.contacts.paging)}` === `${id}`) return record;
	throw new ServiceFailure(`The service answered with ${actual} when contact ${id} was read`, {
		advice: "It's unclear whether the contact has changed, so Sync left it as it is.",
	});
}

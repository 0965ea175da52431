import type { IDataObject } from 'n8n-workflow';

import { contactForm } from '../../form/formDefinitions';
import { customFields, textOf } from '../../form/readForm';
import type { FieldChange, ListedContact } from './types';

/*
 * A service may empty fields that an update does not contain: all fields, the custom fields, or the custom fields only if
 * the update contains other custom fields. An update reveals such a service only if the contact has values in fields that
 * are not sent.
 */

const PLACES = ['property', 'custom'] as const;

/** Where a contact has a field: in a property of the record, or among its custom fields. */
type Place = (typeof PLACES)[number];

/** The kind of update that was sent, and the kind of field that survived it. */
export type Proof = `${Place} update keeps ${Place}`;

const placeOf = (name: string): Place =>
	Object.hasOwn(contactForm.properties, name) ? 'property' : 'custom';

const isFilled = (value: unknown) => textOf(value).trim() !== '';

/** Counts the fields of a contact that are not blank, except those named in `except`. */
export function countFilledFields(
	record: IDataObject,
	except: readonly string[] = [],
): Record<Place, number> {
	const count = (fields: Iterable<[string, unknown]>) =>
		[...fields].filter(([name, value]) => isFilled(value) && !except.includes(name)).length;
	const properties = Object.keys(contactForm.properties);
	return {
		property: count(properties.map((name) => [name, record[name]])),
		custom: count(customFields(record.CustomFields) ?? []),
	};
}

/** Returns what reading a contact back after an update would prove, judging by the contact as it was in the list. */
export function possibleProofs(contact: ListedContact, changes: readonly FieldChange[]): Proof[] {
	const countReplaced = (place: Place) =>
		changes.filter(({ field, from }) => placeOf(field) === place && isFilled(from)).length;
	return proofs(changes, {
		property: contact.propertyCount - countReplaced('property'),
		custom: contact.customCount - countReplaced('custom'),
	});
}

/** Returns what an update proves if it left all other fields of the contact unchanged. */
export const provenBy = (before: IDataObject, changes: readonly FieldChange[]): Proof[] =>
	proofs(
		changes,
		countFilledFields(
			before,
			changes.map(({ field }) => field),
		),
	);

function proofs(changes: readonly FieldChange[], others: Record<Place, number>): Proof[] {
	const kind = changes.some(({ field }) => placeOf(field) === 'custom') ? 'custom' : 'property';
	return PLACES.filter((place) => others[place] > 0).map(
		(place): Proof => `${kind} update keeps ${place}`,
	);
}

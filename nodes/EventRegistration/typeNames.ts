import type { IDataObject } from 'n8n-workflow';

import { readNames } from '../engine/http/namesById';
import type { NameList } from '../engine/http/namesById';
import { toPathSegment } from '../engine/http/path';
import type { ItemCall } from '../engine/operation';
import { SharedReads } from '../engine/sharedReads';
import { lists } from './lists';
import { registrationTypeName } from './names';

/** The names of registration types that each execution has read, by event. */
const typeNames = new SharedReads<Awaited<ReturnType<typeof readNames>>>();

/** Returns the list of an event's registration types. */
export const typeNameList = (eventId: unknown): NameList => ({
	request: {
		method: 'GET',
		path: lists.registrationTypes.path,
		params: { eventId: toPathSegment('Event', eventId) },
		idempotent: true,
	},
	paging: lists.registrationTypes.paging,
	nameOf: registrationTypeName,
});

/** Returns the ID of a registration's type if the service did not return the type's name. */
export const unnamedTypeOf = ({
	RegistrationTypeId,
	RegistrationType,
}: IDataObject): string | undefined =>
	RegistrationTypeId === undefined || RegistrationTypeId === null || RegistrationType !== undefined
		? undefined
		: `${RegistrationTypeId}`;

/** Returns the output field with the name of a registration's type, unless the record has it or the name is unknown. */
export function typeNameField(
	record: IDataObject,
	nameOf: (typeId: string) => string | undefined,
): { RegistrationType: string } | undefined {
	const typeId = unnamedTypeOf(record);
	const name = typeId && nameOf(typeId);
	return name ? { RegistrationType: name } : undefined;
}

/** Adds the name of the registration type to registrations. The service returns only the ID of the type. */
export async function lookUpTypeNames(
	records: IDataObject[],
	{ eventId }: Record<string, unknown>,
	{ client }: ItemCall,
): Promise<(record: IDataObject) => IDataObject | undefined> {
	if (records.every((record) => unnamedTypeOf(record) === undefined)) return () => undefined;
	const read = async () => await readNames(client.withShortLimits(), typeNameList(eventId));
	const names = await typeNames.get(client.connection, `${eventId}`, read);
	return (record) => typeNameField(record, (typeId) => names.get(typeId));
}

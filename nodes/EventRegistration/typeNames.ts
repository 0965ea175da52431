import type { IDataObject } from 'n8n-workflow';

import type { Client, Connection } from '../engine/http/client';
import { readRecords } from '../engine/http/pages';
import { toPathSegment } from '../engine/http/path';
import { idOf } from '../engine/http/records';
import type { ItemCall } from '../engine/operation';
import { lists } from './lists';
import { registrationTypeName } from './names';

/** Names of registration types by ID. */
export type TypeNames = Map<string, string>;

const READ_LIMIT_MS = 10_000;

const namesByConnection = new WeakMap<Connection, Map<unknown, Promise<TypeNames>>>();

/** Adds the name of the registration type to registrations. The service returns only the ID of the type. */
export async function lookUpTypeNames(
	records: IDataObject[],
	{ eventId }: Record<string, unknown>,
	call: ItemCall,
): Promise<(record: IDataObject) => IDataObject | undefined> {
	if (!records.some(lacksTypeName)) return () => undefined;
	const names = await typeNames(eventId, call);
	return (record) => {
		const name = lacksTypeName(record) && names.get(`${record.RegistrationTypeId}`);
		return name ? { RegistrationType: name } : undefined;
	};
}

/** Whether a registration has a type and the service did not return its name. */
export const lacksTypeName = ({ RegistrationTypeId, RegistrationType }: IDataObject) =>
	RegistrationTypeId !== undefined && RegistrationTypeId !== null && RegistrationType === undefined;

/** Returns the names of an event's registration types by ID. Each event is read once per execution. */
async function typeNames(eventId: unknown, { client }: ItemCall): Promise<TypeNames> {
	const namesByEvent =
		namesByConnection.get(client.connection) ?? new Map<unknown, Promise<TypeNames>>();
	namesByConnection.set(client.connection, namesByEvent);
	const names = namesByEvent.get(eventId) ?? readNames(eventId, client);
	namesByEvent.set(eventId, names);
	// A failed request is not cached, so the next item requests the names again.
	names.catch(() => namesByEvent.delete(eventId));
	return await names;
}

/** Reads the names with few tries and a short time limit: a finished operation must not wait long for an optional name. */
async function readNames(eventId: unknown, client: Client): Promise<TypeNames> {
	const { maxAttempts, timeoutMs, maxRetryDelayMs } = client.options;
	return await readTypeNames(
		eventId,
		client.with({
			maxAttempts: Math.min(maxAttempts, 2),
			timeoutMs: Math.min(timeoutMs, READ_LIMIT_MS),
			maxRetryDelayMs: Math.min(maxRetryDelayMs, READ_LIMIT_MS),
		}),
	);
}

/** Reads the names of an event's registration types. */
export async function readTypeNames(eventId: unknown, client: Client): Promise<TypeNames> {
	const { path, paging } = lists.registrationTypes;
	const records = await readRecords(
		client,
		{
			method: 'GET',
			path,
			params: { eventId: toPathSegment('Event', eventId) },
			idempotent: true,
		},
		{ paging },
	);
	return new Map(
		records.map((record) => [`${idOf(record, paging)}`, registrationTypeName(record)]),
	);
}

import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Client } from '../engine/http/client';
import { NameResolver } from '../engine/http/names';
import type { PathSegment } from '../engine/http/path';
import { NAME_MODE } from '../engine/panel/locator';
import { isRecord } from '../engine/values/isRecord';
import { isBlank, plainText } from '../engine/values/texts';
import { namedContactLists, namedEvents, readContactListId, readEventId } from './names';

const owners = {
	eventId: { list: namedEvents, read: readEventId },
	contactListId: { list: namedContactLists, read: readContactListId },
};

/** The fields of a panel that hold the owner of other records: their event or their contact list. */
export type OwnerField = keyof typeof owners;

/** One resolver per request of the editor, because a request may need the owner for several lists. */
const resolvers = new WeakMap<Client, NameResolver>();

/** Returns the mode and the value of a locator in the panel. */
function storedIn(
	context: ILoadOptionsFunctions,
	field: OwnerField,
): Record<'mode' | 'value', unknown> {
	const locator: unknown = context.getCurrentNodeParameter(field);
	return isRecord(locator)
		? { mode: locator.mode, value: locator.value }
		: { mode: 'id', value: locator };
}

/** Whether the user has chosen the event or contact list. */
export const isOwnerChosen = (context: ILoadOptionsFunctions, field: OwnerField): boolean =>
	!isBlank(storedIn(context, field).value);

/** Returns the ID of the event or contact list in the panel, which may be given by name. */
export async function panelOwnerId(
	context: ILoadOptionsFunctions,
	client: Client,
	field: OwnerField,
): Promise<PathSegment> {
	const { mode, value } = storedIn(context, field);
	const { list, read } = owners[field];
	if (mode !== NAME_MODE) return read(value);
	const resolver = resolvers.get(client) ?? new NameResolver();
	resolvers.set(client, resolver);
	return read(await resolver.find(client, list, plainText(value) ?? ''));
}

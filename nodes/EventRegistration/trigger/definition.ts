import type { ITriggerFunctions } from 'n8n-workflow';

import { BadInput } from '../../engine/errors';
import { NamesById } from '../../engine/http/namesById';
import { missingOwnerFields } from '../../engine/trigger/lists/listTriggerDefinition';
import type {
	ListTriggerDefinition,
	FollowedList,
	FollowedListDiscovery,
} from '../../engine/trigger/lists/listTriggerDefinition';
import { OwnerLookup } from '../../engine/trigger/lists/ownerLookup';
import { chosenId, chosenKinds } from '../../engine/trigger/lists/settings';
import { getManyForEvent as getManyEventAttendances } from '../attendance/getManyForEvent';
import { getManyForSession as getManySessionAttendances } from '../attendance/getManyForSession';
import { getMany as getManyContacts } from '../contact/getMany';
import { getMany as getManyEvents } from '../event/getMany';
import { lists } from '../lists';
import { getManyForEvent as getManyOrders } from '../order/getManyForEvent';
import { nameOf } from '../paging';
import { getMany as getManyRegistrations } from '../registration/getMany';
import { service } from '../service';
import { getManyForEvent as getManyTransactions } from '../transaction/getManyForEvent';
import { typeNameList } from '../typeNames';
import { changeKinds, LISTS_IN_EVENT } from './changeKinds';
import { ChosenRecords } from './chosenRecords';
import { readCurrentEvents } from './currentEvents';
import {
	attendance,
	contacts,
	events,
	orders,
	registrations,
	sessionAttendance,
	transactions,
} from './followedLists';
import type { ListOwner } from './followedLists';

/** Definition of the trigger. It follows registrations, check-ins, contacts, orders, transactions and events. */
export const definition: ListTriggerDefinition = {
	service,
	narrowingAdvice: 'Choose one event.',
	outputSchema: {
		addedFields: {
			change: 'string',
			record: 'string',
			EventId: 'integer',
			EventName: 'string',
			SessionId: 'integer',
			ContactListId: 'integer',
			ContactListName: 'string',
		},
		returnedBy: [
			getManyRegistrations,
			getManyEventAttendances,
			getManySessionAttendances,
			getManyOrders,
			getManyTransactions,
			getManyContacts,
			getManyEvents,
		],
	},
	plan: (context) => {
		const selectedKinds = chosenKinds(context, changeKinds.options);
		const wants = (...lists: Parameters<typeof changeKinds.ofLists>) =>
			changeKinds.ofLists(...lists).some((kind) => selectedKinds.has(kind));
		const simplifies = context.getNodeParameter('simplify', true) !== false;
		const isOneEvent = context.getNodeParameter('where', 'oneEvent') !== 'allCurrentEvents';
		const followsOneEvent = isOneEvent && wants('events', ...LISTS_IN_EVENT);
		const chosen = new ChosenRecords(context, {
			event: followsOneEvent,
			numericEventId: wants('orders', 'transactions'),
			type: followsOneEvent && wants('registrations'),
			contactList: wants('contacts'),
		});
		const session = wants('sessionAttendance') ? chosenSession(context, isOneEvent) : undefined;
		const typeNames = new Map<string, NamesById>();
		const listsOf = (event: ListOwner, type?: string): FollowedList[] => {
			const names = typeNames.get(event.id) ?? new NamesById(typeNameList(event.id));
			typeNames.set(event.id, names);
			return [
				...(wants('registrations') ? [registrations(event, simplifies, names, type)] : []),
				...(wants('attendance') ? [attendance(event, simplifies)] : []),
				...(session === undefined ? [] : [sessionAttendance(event, session, simplifies)]),
				...(wants('orders') ? [orders(event)] : []),
				...(wants('transactions') ? [transactions(event)] : []),
			];
		};
		const eventLookup = new OwnerLookup(lists.events.recordPath, lists.events.paging);
		const contactListLookup = new OwnerLookup(
			lists.contactLists.recordPath,
			lists.contactLists.paging,
		);
		const wantsListsInEvents = wants(...LISTS_IN_EVENT);
		return {
			kinds: selectedKinds,
			names: chosen.names,
			discover: async (client) => {
				const discovery: FollowedListDiscovery = { lists: [] };
				const contactListId = await chosen.findContactList(client);
				if (contactListId !== undefined) {
					const { record, isGone, date } = await contactListLookup.get(client, contactListId);
					discovery.date = date;
					discovery.lists.push({
						...contacts({ id: contactListId, record }, simplifies),
						...(isGone &&
							missingOwnerFields(
								'contact list',
								contactListId,
								record && nameOf(record, 'ContactList'),
							)),
					});
				}
				const eventId = await chosen.findEvent(client);
				if (eventId !== undefined) {
					const { record, isGone, date } = await eventLookup.get(client, eventId);
					discovery.date ??= date;
					const type = isGone ? undefined : await chosen.findType(client, eventId);
					const eventLists = wants('events') ? [events(eventId)] : [];
					const all = [...eventLists, ...listsOf({ id: eventId, record }, type)];
					const gone =
						isGone && missingOwnerFields('event', eventId, record && nameOf(record, 'Event'));
					discovery.lists.push(...all.map((list) => ({ ...list, ...gone })));
				} else if (wants('events')) discovery.lists.push(events());
				if (wantsListsInEvents && !followsOneEvent) {
					const { owners, date } = await readCurrentEvents(client);
					discovery.date ??= date;
					const lists = owners.flatMap((owner) => listsOf(owner));
					discovery.lists.push(
						...lists.map((list) => ({ ...list, discoveredAs: listNameOf(list) })),
					);
				}
				return discovery;
			},
		};
	},
};

function chosenSession(context: ITriggerFunctions, isOneEvent: boolean): string {
	if (isOneEvent) return chosenId(context, 'sessionId', 'Session');
	throw new BadInput(
		"'Checked In to Session' requires One Event",
		"Choose One Event under 'Events' and one of its sessions, or choose Checked In to Event under 'Trigger On'.",
	);
}

/** Returns the first part of a list's key, which is the same for all events. */
const listNameOf = ({ key }: FollowedList): string => key.split(' ', 1)[0]!;

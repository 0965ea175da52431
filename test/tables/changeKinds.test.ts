// Protects users of the event triggers: each kind of change that a trigger offers comes from the lists that it reads for it.
import { NamesById } from '../../nodes/engine/http/namesById';
import type { FollowedList } from '../../nodes/engine/trigger/lists/listTriggerDefinition';
import { changeKinds as eventDataKinds } from '../../nodes/EventData/trigger/changeKinds';
import * as eventDataLists from '../../nodes/EventData/trigger/followedLists';
import { changeKinds as registrationKinds } from '../../nodes/EventRegistration/trigger/changeKinds';
import * as registrationLists from '../../nodes/EventRegistration/trigger/followedLists';
import { typeNameList } from '../../nodes/EventRegistration/typeNames';

/** Lists the kinds of events that a followed list derives from its records. */
const listDerivedKinds = ({
	changeSchema: { oneTimeEvents = [], status, updated },
}: FollowedList) =>
	[...oneTimeEvents.map(({ kind }) => kind), status?.kind, updated].filter(
		(kind) => kind !== undefined,
	);

const event = { id: '1' };
const scope = { ...event, isGone: false };

it.each([
	['attendees', eventDataLists.attendees(scope)],
	['events', eventDataLists.events()],
	['registrations', eventDataLists.registrations(scope)],
	['sessions', eventDataLists.sessions(scope)],
] as const)(
	'Event Data: the list %s derives exactly the kinds that trigger/changeKinds.ts assigns to it',
	(name, list) => {
		expect(listDerivedKinds(list).sort()).toEqual(eventDataKinds.ofLists(name));
	},
);

it.each([
	['attendance', registrationLists.attendance(event, true)],
	['contacts', registrationLists.contacts(event, true)],
	['events', registrationLists.events()],
	['orders', registrationLists.orders(event)],
	['registrations', registrationLists.registrations(event, true, new NamesById(typeNameList('1')))],
	['sessionAttendance', registrationLists.sessionAttendance(event, '2', true)],
	['transactions', registrationLists.transactions(event)],
] as const)(
	'Event Registration: the list %s derives exactly the kinds that trigger/changeKinds.ts assigns to it',
	(name, list) => {
		expect(listDerivedKinds(list).sort()).toEqual(registrationKinds.ofLists(name));
	},
);

import type { FollowedList } from '../../nodes/engine/trigger/lists/listTriggerDefinition';
import * as eventDataLists from '../../nodes/EventData/trigger/followedLists';
import { kinds as eventDataKinds } from '../../nodes/EventData/trigger/kinds';
import * as registrationLists from '../../nodes/EventRegistration/trigger/followedLists';
import { kinds as registrationKinds } from '../../nodes/EventRegistration/trigger/kinds';
import { RegistrationTypeNames } from '../../nodes/EventRegistration/trigger/registrationTypeNames';

/** The kinds that a followed list derives from its records. */
const derivedFrom = ({ changeSchema: { oneTimeEvents = [], status, updated } }: FollowedList) =>
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
] as const)('Event Data: the list %s shows the kinds of the table', (name, list) => {
	expect(derivedFrom(list).sort()).toEqual(eventDataKinds.kindsOf(name));
});

it.each([
	['attendance', registrationLists.attendance(event, true)],
	['contacts', registrationLists.contacts(event, true)],
	['events', registrationLists.events()],
	['orders', registrationLists.orders(event)],
	['registrations', registrationLists.registrations(event, true, new RegistrationTypeNames())],
	['sessionAttendance', registrationLists.sessionAttendance(event, '2', true)],
	['transactions', registrationLists.transactions(event)],
] as const)('Event Registration: the list %s shows the kinds of the table', (name, list) => {
	expect(derivedFrom(list).sort()).toEqual(registrationKinds.kindsOf(name));
});

import { BadInput } from '../../engine/errors';
import { NamesById } from '../../engine/http/namesById';
import type {
	ListTriggerDefinition,
	FollowedListDiscovery,
} from '../../engine/trigger/lists/listTriggerDefinition';
import { OwnerLookup } from '../../engine/trigger/lists/ownerLookup';
import { chosenId, chosenKinds } from '../../engine/trigger/lists/settings';
import { getMany as manyAttendees } from '../attendee/getMany';
import { getMany as manyEvents } from '../event/getMany';
import { eventPaging, paging } from '../paging';
import { getMany as manyRegistrations } from '../registration/getMany';
import { service } from '../service';
import { getMany as manySessions } from '../session/getMany';
import { changeKinds } from './changeKinds';
import { attendees, events, nameOf, registrations, sessions } from './followedLists';

/** The lists that the trigger follows: attendees, registrations, sessions and events. */
export const definition: ListTriggerDefinition = {
	service,
	narrowingAdvice:
		'Choose one event; if one is already chosen, use a separate trigger for each kind of record.',
	outputSchema: {
		addedFields: { change: 'string', record: 'string', eventName: 'string' },
		returnedBy: [manyAttendees, manyRegistrations, manySessions, manyEvents],
	},
	plan: (context) => {
		const selectedKinds = chosenKinds(context, changeKinds.options);
		const wants = (...lists: Parameters<typeof changeKinds.ofLists>) =>
			changeKinds.ofLists(...lists).some((kind) => selectedKinds.has(kind));
		const isOneEvent = context.getNodeParameter('where', 'oneEvent') !== 'allEvents';
		if (isOneEvent && selectedKinds.has('eventCreated')) {
			throw new BadInput(
				"'Event Created' requires All Events",
				"The event you chose already exists. Choose All Events under 'Events', or deselect Event Created under 'Trigger On'.",
			);
		}
		const eventId = isOneEvent ? chosenId(context, 'eventId', 'Event') : undefined;
		const lists = [
			...(wants('attendees') ? [attendees] : []),
			...(wants('registrations') ? [registrations] : []),
			...(wants('sessions') ? [sessions] : []),
		];
		const eventLists = wants('events') ? [events(eventId)] : [];
		const lookup = new OwnerLookup('/events/{eventId}', paging);
		const names = new NamesById({
			request: { method: 'GET', path: '/events', idempotent: true },
			paging: eventPaging,
			nameOf,
		});
		return {
			kinds: selectedKinds,
			discover: async (client) => {
				const discovery: FollowedListDiscovery = { lists: [...eventLists] };
				if (lists.length === 0) return discovery;
				if (eventId === undefined) {
					discovery.lists.push(...lists.map((toList) => toList({ names })));
				} else {
					const { date, ...owner } = await lookup.get(client, eventId);
					discovery.date = date;
					discovery.lists.push(...lists.map((toList) => toList({ id: eventId, ...owner })));
				}
				return discovery;
			},
		};
	},
};

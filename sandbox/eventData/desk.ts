import { searchRows } from '../desk/searchRows';
import { readRequiredText, readText } from '../readInput';
import type { Input } from '../readInput';
import type { World } from '../service';
import { showEvent } from './showEvent';
import type { Store } from './store';

/** Views of the event data service for the desk. */
export function eventDataDesk(store: () => Store, world: World) {
	const showEventById = (id: string) => showEvent(store(), store().getEvent(id), world.now());
	const listRegistrations = (eventId: string, attendeeId: string) =>
		store()
			.registrations.list(eventId)
			.filter((registration) => registration.attendeeId === attendeeId);

	return {
		events: () => store().demoData.events.map((event) => showEvent(store(), event, world.now())),

		/** `{ eventId }`: an event with its sessions. */
		event: (query: Input) => {
			const eventId = readRequiredText(query, 'eventId');
			const event = showEventById(eventId);
			const came = store()
				.attendees.list(eventId)
				.filter(({ checkInTime }) => checkInTime !== null).length;
			return { event, counts: { came }, sessions: store().sessions.list(eventId) };
		},

		/** `{ eventId, search? }`: attendees, newest first. */
		people: (query: Input) => {
			const { id } = showEventById(readRequiredText(query, 'eventId'));
			const attendees = store().attendees.list(id);
			const { rows, ...counts } = searchRows(attendees, readText(query, 'search'), (attendee) => [
				`${attendee.firstName} ${attendee.lastName}`,
				attendee.email,
				attendee.company,
				attendee.id,
			]);
			return { ...counts, people: rows };
		},

		/** `{ attendeeId }`: an attendee with their registrations. */
		person: (query: Input) => {
			const attendee = store().attendees.get(readRequiredText(query, 'attendeeId'));
			return { attendee, registrations: listRegistrations(attendee.eventId, attendee.id) };
		},
	};
}

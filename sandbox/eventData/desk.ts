import { matching } from '../desk/rows';
import { requiredText, textIn } from '../input';
import type { Input } from '../input';
import type { World } from '../service';
import { showEvent } from './show';
import type { Store } from './store';

/** Views of the event data service for the desk. */
export function eventDataDesk(store: () => Store, world: World) {
	const show = (id: string) => showEvent(store(), store().getEvent(id), world.now());
	const registrationsOf = (eventId: string, attendeeId: string) =>
		store()
			.registrations.list(eventId)
			.filter((registration) => registration.attendeeId === attendeeId);

	return {
		events: () => store().demoData.events.map((event) => showEvent(store(), event, world.now())),

		/** `{ eventId }`: an event with its sessions. */
		event: (query: Input) => {
			const eventId = requiredText(query, 'eventId');
			const event = show(eventId);
			const came = store()
				.attendees.list(eventId)
				.filter(({ checkInTime }) => checkInTime !== null).length;
			return { event, counts: { came }, sessions: store().sessions.list(eventId) };
		},

		/** `{ eventId, search? }`: attendees, newest first. */
		people: (query: Input) => {
			const { id } = show(requiredText(query, 'eventId'));
			const all = store().attendees.list(id);
			const { rows, ...counts } = matching(all, textIn(query, 'search'), (attendee) => [
				`${attendee.firstName} ${attendee.lastName}`,
				attendee.email,
				attendee.company,
				attendee.id,
			]);
			return { ...counts, people: rows };
		},

		/** `{ attendeeId }`: an attendee with their registrations. */
		person: (query: Input) => {
			const attendee = store().attendees.get(requiredText(query, 'attendeeId'));
			return { attendee, registrations: registrationsOf(attendee.eventId, attendee.id) };
		},
	};
}

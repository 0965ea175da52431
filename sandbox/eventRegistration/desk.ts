import type { DemoEvent } from '../demoData';
import { matching } from '../desk/rows';
import { idIn, textIn, integerIn } from '../input';
import type { Input } from '../input';
import type { CheckIn } from './attendance';
import { balanceOf } from './payments';
import { fullName } from './records';
import { showEvent } from './show';
import type { Store } from './store';

const visitOf = (checkIn: CheckIn | undefined) =>
	checkIn ? { in: checkIn.in, out: checkIn.out } : null;

/** Views of the event registration service for the desk. */
export function eventRegistrationDesk(store: () => Store) {
	const eventOf = (query: Input) => store().event(idIn(query, 'eventId'));
	const sessionsOf = (event: DemoEvent) => store().sessions.list(event.index);
	const inside = (checkIns: readonly CheckIn[]) =>
		checkIns.filter(({ out }) => out === null).length;

	return {
		events: () => store().demoData.events.map((event) => showEvent(store(), event)),

		/** `{ eventId }`: an event with its form, types, options and sessions. */
		event: (query: Input) => {
			const event = eventOf(query);
			const { form, types, groups, currency } = event;
			const sessions = sessionsOf(event).map((session) => {
				const visits = store().attendance.list(event, session.SessionId);
				return { ...session, came: visits.length, inside: inside(visits) };
			});
			const visits = store().attendance.list(event);
			const counts = { came: visits.length, inside: inside(visits) };
			return { event: showEvent(store(), event), counts, form, types, groups, currency, sessions };
		},

		/** `{ eventId, search?, sessionId? }`: registrations, newest first, with the last visit to the event or the session. */
		people: (query: Input) => {
			const event = eventOf(query);
			const sessionId = integerIn(query, 'sessionId');
			const visits = new Map(
				store()
					.attendance.list(event, sessionId)
					.map((checkIn) => [checkIn.registration, checkIn]),
			);
			const types = new Map(event.types.map(({ id, name }) => [id, name]));
			const all = store().registrations.list(event.index);
			const { rows, ...counts } = matching(all, textIn(query, 'search'), (registration) => [
				fullName(registration),
				registration.Email,
				registration.ConfirmationCode,
				registration.Id,
			]);
			const people = rows.map((registration) => ({
				...registration,
				type: types.get(registration.RegistrationTypeId ?? 0) ?? '',
				visit: visitOf(visits.get(registration)),
			}));
			return { ...counts, people };
		},

		/** `{ eventId, registrationId }`: a registration with its visits, orders and payments. */
		person: (query: Input) => {
			const event = eventOf(query);
			const registration = store().registration(event, idIn(query, 'registrationId'));
			const at = (name: string, sessionId?: number) =>
				store()
					.attendance.list(event, sessionId)
					.filter((checkIn) => checkIn.registration === registration)
					.map((checkIn) => ({ at: name, sessionId, ...visitOf(checkIn) }));
			const visits = [
				...at(event.name),
				...sessionsOf(event).flatMap(({ SessionId, Title }) => at(Title, SessionId)),
			];
			const { sales, ...balance } = balanceOf(store(), event, registration.RegistrationId);
			return { registration, visits, sale: sales.at(-1) ?? null, ...balance };
		},

		/** Every contact list, and the form that they share. */
		lists: () => ({
			form: store().contactForm,
			lists: [...store().lists.values()].map(({ list, partition }) => ({
				...list,
				ContactCount: store().contacts.size(partition),
			})),
		}),

		/** `{ contactListId, search? }`: contacts, newest first. */
		contacts: (query: Input) => {
			const { partition } = store().list(idIn(query, 'contactListId'));
			const all = store().contacts.list(partition);
			const { rows, ...counts } = matching(all, textIn(query, 'search'), (contact) => [
				fullName(contact),
				contact.Email,
				contact.Organization,
				contact.Id,
			]);
			return { ...counts, contacts: rows };
		},
	};
}

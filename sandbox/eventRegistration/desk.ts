import type { DemoEvent } from '../demoData';
import { searchRows } from '../desk/searchRows';
import { readRequiredId, readText, readInteger } from '../readInput';
import type { Input } from '../readInput';
import type { CheckIn } from './attendance';
import { computeBalance } from './payments';
import { formatFullName } from './records';
import { showEvent } from './showRecords';
import type { Store } from './store';

const toVisit = (checkIn: CheckIn | undefined) =>
	checkIn ? { in: checkIn.in, out: checkIn.out } : null;

/** Views of the event registration service for the desk. */
export function eventRegistrationDesk(store: () => Store) {
	const findEvent = (query: Input) => store().getEvent(readRequiredId(query, 'eventId'));
	const listSessions = (event: DemoEvent) => store().sessions.list(event.index);
	const countInside = (checkIns: readonly CheckIn[]) =>
		checkIns.filter(({ out }) => out === null).length;

	return {
		events: () => store().demoData.events.map((event) => showEvent(store(), event)),

		/** `{ eventId }`: an event with its form, types, options and sessions. */
		event: (query: Input) => {
			const event = findEvent(query);
			const { form, types, groups, currency } = event;
			const sessions = listSessions(event).map((session) => {
				const visits = store().attendance.list(event, session.SessionId);
				return { ...session, came: visits.length, inside: countInside(visits) };
			});
			const visits = store().attendance.list(event);
			const counts = { came: visits.length, inside: countInside(visits) };
			return { event: showEvent(store(), event), counts, form, types, groups, currency, sessions };
		},

		/** `{ eventId, search?, sessionId? }`: registrations, newest first, with the last visit to the event or the session. */
		people: (query: Input) => {
			const event = findEvent(query);
			const sessionId = readInteger(query, 'sessionId');
			const visits = new Map(
				store()
					.attendance.list(event, sessionId)
					.map((checkIn) => [checkIn.registration, checkIn]),
			);
			const types = new Map(event.types.map(({ id, name }) => [id, name]));
			const registrations = store().registrations.list(event.index);
			const { rows, ...counts } = searchRows(
				registrations,
				readText(query, 'search'),
				(registration) => [
					formatFullName(registration),
					registration.Email,
					registration.ConfirmationCode,
					registration.Id,
				],
			);
			const people = rows.map((registration) => ({
				...registration,
				type: types.get(registration.RegistrationTypeId ?? 0) ?? '',
				visit: toVisit(visits.get(registration)),
			}));
			return { ...counts, people };
		},

		/** `{ eventId, registrationId }`: a registration with its visits, orders and payments. */
		person: (query: Input) => {
			const event = findEvent(query);
			const registration = store().getRegistration(event, readRequiredId(query, 'registrationId'));
			const listVisits = (name: string, sessionId?: number) =>
				store()
					.attendance.list(event, sessionId)
					.filter((checkIn) => checkIn.registration === registration)
					.map((checkIn) => ({ at: name, sessionId, ...toVisit(checkIn) }));
			const visits = [
				...listVisits(event.name),
				...listSessions(event).flatMap(({ SessionId, Title }) => listVisits(Title, SessionId)),
			];
			const { sales, ...balance } = computeBalance(store(), event, registration.RegistrationId);
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
			const { partition } = store().getList(readRequiredId(query, 'contactListId'));
			const contacts = store().contacts.list(partition);
			const { rows, ...counts } = searchRows(contacts, readText(query, 'search'), (contact) => [
				formatFullName(contact),
				contact.Email,
				contact.Organization,
				contact.Id,
			]);
			return { ...counts, contacts: rows };
		},
	};
}

import type { DemoEvent, NewEvent } from '../demoData';
import type { Act } from '../deskBus';
import type { CheckIn } from './attendance';
import { fullName, iso } from './records';
import type { Registration, Session } from './records';
import { conflict, invalid } from './responses';
import type { Store } from './store';

/** Input of a session; times in ms since 1970. */
export interface SessionInput {
	title: string;
	startsAt: number;
	endsAt: number;
}

function checkTimes({ startsAt, endsAt }: SessionInput, field: string): void {
	if (endsAt <= startsAt) throw invalid({ [field]: ['The end must be later than the start.'] });
}

const toSession = (id: number, { title, startsAt, endsAt }: SessionInput): Session => ({
	SessionId: id,
	Id: String(id),
	Title: title,
	StartDateTime: iso(startsAt),
	EndDateTime: iso(endsAt),
});

/** Write operations of the event's staff, which the API does not have. */
export function eventWrites(store: () => Store) {
	const inPlace = (event: DemoEvent, session?: Session) => session?.Title ?? event.name;

	return {
		addEvent(wanted: NewEvent, act: Act): DemoEvent {
			checkTimes({ title: wanted.name, ...wanted }, 'EndDate');
			const event = store().demoData.addEvent(wanted, act.now);
			store().publish(act, `The event ${event.name} was made`, { event });
			return event;
		},

		changeEvent(event: DemoEvent, wanted: Partial<NewEvent>, act: Act): DemoEvent {
			const { startsAt, endsAt } = { ...event, ...wanted };
			checkTimes({ title: event.name, startsAt, endsAt }, 'EndDate');
			Object.assign(event, wanted, { updatedAt: act.now });
			store().publish(act, `The event ${event.name} was changed`, { event });
			return event;
		},

		addSession(event: DemoEvent, input: SessionInput, act: Act): Session {
			checkTimes(input, 'EndDateTime');
			const session = toSession(store().newId('session'), input);
			store().sessions.add(event.index, session);
			store().publish(act, `The session ${session.Title} was added`, { event });
			return session;
		},

		changeSession(
			event: DemoEvent,
			session: Session,
			wanted: Partial<SessionInput>,
			act: Act,
		): Session {
			const input = {
				title: session.Title,
				startsAt: Date.parse(session.StartDateTime),
				endsAt: Date.parse(session.EndDateTime),
				...wanted,
			};
			checkTimes(input, 'EndDateTime');
			Object.assign(session, toSession(session.SessionId, input));
			store().publish(act, `The session ${session.Title} was changed`, { event });
			return session;
		},

		removeSession(event: DemoEvent, session: Session, act: Act): void {
			store().sessions.remove(event.index, session.SessionId);
			store().publish(act, `The session ${session.Title} was taken off the program`, { event });
		},

		/** Adds an entry to the check-in log; a person who leaves and returns gets a second one. */
		checkIn(event: DemoEvent, registration: Registration, act: Act, session?: Session): CheckIn {
			const { attendance } = store();
			const who = fullName(registration);
			if (registration.RegistrationStatus === 'Cancelled') {
				throw conflict(`The registration of ${who} is canceled.`);
			}
			if (attendance.current(event, registration, session?.SessionId)) {
				throw conflict(`${who} is checked in already.`);
			}
			const checkIn = attendance.checkIn(event, registration, act.now, session?.SessionId);
			store().publish(act, `${who} checked in to ${inPlace(event, session)}`, { event });
			return checkIn;
		},

		/** Ends the check-in that is not checked out yet. */
		checkOut(event: DemoEvent, registration: Registration, act: Act, session?: Session): CheckIn {
			const checkIn = store().attendance.current(event, registration, session?.SessionId);
			const who = fullName(registration);
			if (!checkIn) throw conflict(`${who} is not checked in.`);
			checkIn.out = iso(act.now);
			store().publish(act, `${who} checked out of ${inPlace(event, session)}`, { event });
			return checkIn;
		},
	};
}

import type { DemoEvent, NewEvent } from '../demoData';
import type { WriteContext } from '../deskBus';
import type { CheckIn } from './attendance';
import { formatFullName, toIsoTime } from './records';
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
	StartDateTime: toIsoTime(startsAt),
	EndDateTime: toIsoTime(endsAt),
});

/** Write operations of the event's staff, which the API does not have. */
export function eventWrites(store: () => Store) {
	const getPlaceName = (event: DemoEvent, session?: Session) => session?.Title ?? event.name;

	return {
		addEvent(newEvent: NewEvent, context: WriteContext): DemoEvent {
			checkTimes({ title: newEvent.name, ...newEvent }, 'EndDate');
			const event = store().demoData.addEvent(newEvent, context.now);
			store().publish(context, `The event ${event.name} was made`, { event });
			return event;
		},

		changeEvent(event: DemoEvent, changes: Partial<NewEvent>, context: WriteContext): DemoEvent {
			const { startsAt, endsAt } = { ...event, ...changes };
			checkTimes({ title: event.name, startsAt, endsAt }, 'EndDate');
			Object.assign(event, changes, { updatedAt: context.now });
			store().publish(context, `The event ${event.name} was changed`, { event });
			return event;
		},

		addSession(event: DemoEvent, input: SessionInput, context: WriteContext): Session {
			checkTimes(input, 'EndDateTime');
			const session = toSession(store().newId('session'), input);
			store().sessions.add(event.index, session);
			store().publish(context, `The session ${session.Title} was added`, { event });
			return session;
		},

		changeSession(
			event: DemoEvent,
			session: Session,
			changes: Partial<SessionInput>,
			context: WriteContext,
		): Session {
			const input = {
				title: session.Title,
				startsAt: Date.parse(session.StartDateTime),
				endsAt: Date.parse(session.EndDateTime),
				...changes,
			};
			checkTimes(input, 'EndDateTime');
			Object.assign(session, toSession(session.SessionId, input));
			store().publish(context, `The session ${session.Title} was changed`, { event });
			return session;
		},

		removeSession(event: DemoEvent, session: Session, context: WriteContext): void {
			store().sessions.remove(event.index, session.SessionId);
			store().publish(context, `The session ${session.Title} was taken off the program`, { event });
		},

		/** Adds an entry to the check-in log; a person who leaves and returns gets a second one. */
		checkIn(
			event: DemoEvent,
			registration: Registration,
			context: WriteContext,
			session?: Session,
		): CheckIn {
			const { attendance } = store();
			const name = formatFullName(registration);
			if (registration.RegistrationStatus === 'Cancelled') {
				throw conflict(`The registration of ${name} is canceled.`);
			}
			if (attendance.findCurrent(event, registration, session?.SessionId)) {
				throw conflict(`${name} is checked in already.`);
			}
			const checkIn = attendance.checkIn(event, registration, context.now, session?.SessionId);
			store().publish(context, `${name} checked in to ${getPlaceName(event, session)}`, { event });
			return checkIn;
		},

		/** Ends the check-in that is not checked out yet. */
		checkOut(
			event: DemoEvent,
			registration: Registration,
			context: WriteContext,
			session?: Session,
		): CheckIn {
			const checkIn = store().attendance.findCurrent(event, registration, session?.SessionId);
			const name = formatFullName(registration);
			if (!checkIn) throw conflict(`${name} is not checked in.`);
			checkIn.out = toIsoTime(context.now);
			store().publish(context, `${name} checked out of ${getPlaceName(event, session)}`, { event });
			return checkIn;
		},
	};
}

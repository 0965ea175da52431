import {
	firstIds,
	idsPerSession,
	sessionVisit,
	type Season,
	type SeasonEvent,
	type Shelf,
} from '../season';
import { iso, type Registration } from './records';

/** One check-in; name and address are those of the registration at the time of reading. */
export interface CheckIn {
	id: number;
	registration: Registration;
	in: string;
	out: string | null;
}

/** When a check-in last changed. */
export const changedAt = ({ in: came, out }: CheckIn): string => out ?? came;

/** Who came to which event and which session, made at first sight of each. */
export interface Attendance {
	ofEvent(event: SeasonEvent): readonly CheckIn[];
	/** `place` is the session's place in the event. */
	ofSession(event: SeasonEvent, place: number): readonly CheckIn[];
}

/** Makes check-ins from the season and shows them with the registrations as they are now. */
export function createAttendance(season: Season, registrations: Shelf<Registration>): Attendance {
	const kept = new Map<string, CheckIn[]>();
	const once = (key: string, make: () => CheckIn[]) => {
		let found = kept.get(key);
		if (!found) kept.set(key, (found = make()));
		return found;
	};
	const ofEvent = (event: SeasonEvent) =>
		once(`${event.index}`, () =>
			season.registrations(event).flatMap(({ id, checkIn }) => {
				if (!checkIn) return [];
				return {
					id: id - firstIds.registration + firstIds.eventCheckIn,
					registration: registrations.get(event.index, id)!,
					in: iso(checkIn.in),
					out: checkIn.out === null ? null : iso(checkIn.out),
				};
			}),
		);
	const ofSession = (event: SeasonEvent, place: number) =>
		once(`${event.index}/${place}`, () => {
			const session = season.sessions(event)[place]!;
			// Nothing in the season is later than its day.
			if (session.endsAt > season.today) return [];
			const first = firstIds.sessionCheckIn + (session.id - firstIds.session) * idsPerSession;
			return ofEvent(event)
				.flatMap(({ registration }) => {
					const visit = sessionVisit(season.seed, registration.RegistrationId, session);
					return visit ? [{ registration, visit }] : [];
				})
				.map(({ registration, visit }, index) => ({
					id: first + index,
					registration,
					in: iso(visit.in),
					out: visit.out === null ? null : iso(visit.out),
				}));
		});
	return { ofEvent, ofSession };
}

import { firstIds, idsPerSession, sessionVisit } from '../demoData';
import type { DemoData, DemoEvent, PartitionedTable } from '../demoData';
import { iso } from './records';
import type { Registration } from './records';

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
	ofEvent(event: DemoEvent): readonly CheckIn[];
	/** `place` is the session's place in the event. */
	ofSession(event: DemoEvent, place: number): readonly CheckIn[];
}

/** Makes check-ins from the demo data and shows them with the registrations as they are now. */
export function createAttendance(
	demoData: DemoData,
	registrations: PartitionedTable<Registration>,
): Attendance {
	const kept = new Map<string, CheckIn[]>();
	const once = (key: string, make: () => CheckIn[]) => {
		let found = kept.get(key);
		if (!found) kept.set(key, (found = make()));
		return found;
	};
	const ofEvent = (event: DemoEvent) =>
		once(`${event.index}`, () =>
			demoData.registrations(event).flatMap(({ id, checkIn }) => {
				if (!checkIn) return [];
				return {
					id: id - firstIds.registration + firstIds.eventCheckIn,
					registration: registrations.get(event.index, id)!,
					in: iso(checkIn.in),
					out: checkIn.out === null ? null : iso(checkIn.out),
				};
			}),
		);
	const ofSession = (event: DemoEvent, place: number) =>
		once(`${event.index}/${place}`, () => {
			const session = demoData.sessions(event)[place]!;
			// Nothing in the demo data is later than its day.
			if (session.endsAt > demoData.today) return [];
			const first = firstIds.sessionCheckIn + (session.id - firstIds.session) * idsPerSession;
			return ofEvent(event)
				.flatMap(({ registration }) => {
					const visit = sessionVisit(demoData.seed, registration.RegistrationId, session);
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

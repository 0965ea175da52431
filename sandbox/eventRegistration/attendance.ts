import { firstIds, firstNewIds, IDS_PER_SESSION, generateSessionVisit } from '../demoData';
import type { DemoData, DemoEvent, PartitionedTable } from '../demoData';
import { toIsoTime } from './records';
import type { Registration } from './records';

/** One check-in; name and address are read from the registration when it is shown. */
export interface CheckIn {
	id: number;
	registration: Registration;
	in: string;
	out: string | null;
}

/** Returns the time of a check-in's last change. */
export const getChangeTime = ({ in: checkedInAt, out }: CheckIn): string => out ?? checkedInAt;

/** Check-ins of events and sessions. Generated check-ins are created on first access. */
export class Attendance {
	private readonly checkInsByKey = new Map<string, CheckIn[]>();

	constructor(
		private readonly demoData: DemoData,
		private readonly registrations: PartitionedTable<Registration>,
		private readonly newId: (kind: 'eventCheckIn' | 'sessionCheckIn') => number,
	) {}

	/** Returns the check-ins of the event or of one of its sessions; a person who came twice is listed twice. */
	list(event: DemoEvent, sessionId?: number): readonly CheckIn[] {
		return this.getCheckIns(event, sessionId);
	}

	/** Returns the check-in of a registration that is not checked out yet. */
	findCurrent(
		event: DemoEvent,
		registration: Registration,
		sessionId?: number,
	): CheckIn | undefined {
		return this.getCheckIns(event, sessionId).findLast(
			(checkIn) => checkIn.registration === registration && checkIn.out === null,
		);
	}

	checkIn(event: DemoEvent, registration: Registration, now: number, sessionId?: number): CheckIn {
		const id = this.newId(sessionId === undefined ? 'eventCheckIn' : 'sessionCheckIn');
		const checkIn = { id, registration, in: toIsoTime(now), out: null };
		this.getCheckIns(event, sessionId).push(checkIn);
		return checkIn;
	}

	private getCheckIns(event: DemoEvent, sessionId?: number): CheckIn[] {
		const key = `${event.index}/${sessionId ?? ''}`;
		let checkIns = this.checkInsByKey.get(key);
		if (!checkIns) {
			checkIns =
				sessionId === undefined
					? this.generateEventCheckIns(event)
					: this.generateSessionCheckIns(event, sessionId);
			this.checkInsByKey.set(key, checkIns);
		}
		return checkIns;
	}

	private generateEventCheckIns(event: DemoEvent): CheckIn[] {
		return this.demoData.registrations(event).flatMap(({ id, checkIn }) => {
			if (!checkIn) return [];
			return {
				id: id - firstIds.registration + firstIds.eventCheckIn,
				registration: this.registrations.get(event.index, id)!,
				in: toIsoTime(checkIn.in),
				out: checkIn.out === null ? null : toIsoTime(checkIn.out),
			};
		});
	}

	/**
	 * Returns the generated check-ins of a session. They depend on its ID and on the generated sessions, neither of which
	 * changes when sessions are added, changed or removed.
	 */
	private generateSessionCheckIns(event: DemoEvent, sessionId: number): CheckIn[] {
		const session = this.demoData.sessions(event).find(({ id }) => id === sessionId);
		// No demo data is later than the demo data's day.
		if (!session || session.endsAt > this.demoData.today) return [];
		const firstId = firstIds.sessionCheckIn + (session.id - firstIds.session) * IDS_PER_SESSION;
		return this.getCheckIns(event)
			.filter(({ id }) => id < firstNewIds.eventCheckIn)
			.flatMap(({ registration }) => {
				const visit = generateSessionVisit(
					this.demoData.seed,
					registration.RegistrationId,
					session,
				);
				return visit ? [{ registration, visit }] : [];
			})
			.map(({ registration, visit }, index) => ({
				id: firstId + index,
				registration,
				in: toIsoTime(visit.in),
				out: visit.out === null ? null : toIsoTime(visit.out),
			}));
	}
}

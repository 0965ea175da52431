import { firstIds, firstNewIds, idsPerSession, sessionVisit } from '../demoData';
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

/** Who came to which event and which session; what is generated is made at first sight of each. */
export class Attendance {
	private readonly kept = new Map<string, CheckIn[]>();

	constructor(
		private readonly demoData: DemoData,
		private readonly registrations: PartitionedTable<Registration>,
		private readonly newId: (kind: 'eventCheckIn' | 'sessionCheckIn') => number,
	) {}

	/** Who came to the event, or to one of its sessions; a visit more than once is in it more than once. */
	list(event: DemoEvent, sessionId?: number): readonly CheckIn[] {
		return this.open(event, sessionId);
	}

	/** The check-in that is not checked out yet. */
	current(event: DemoEvent, registration: Registration, sessionId?: number): CheckIn | undefined {
		return this.open(event, sessionId).findLast(
			(checkIn) => checkIn.registration === registration && checkIn.out === null,
		);
	}

	checkIn(event: DemoEvent, registration: Registration, now: number, sessionId?: number): CheckIn {
		const id = this.newId(sessionId === undefined ? 'eventCheckIn' : 'sessionCheckIn');
		const checkIn = { id, registration, in: iso(now), out: null };
		this.open(event, sessionId).push(checkIn);
		return checkIn;
	}

	private open(event: DemoEvent, sessionId?: number): CheckIn[] {
		const key = `${event.index}/${sessionId ?? ''}`;
		let found = this.kept.get(key);
		if (!found) {
			found = sessionId === undefined ? this.ofEvent(event) : this.ofSession(event, sessionId);
			this.kept.set(key, found);
		}
		return found;
	}

	private ofEvent(event: DemoEvent): CheckIn[] {
		return this.demoData.registrations(event).flatMap(({ id, checkIn }) => {
			if (!checkIn) return [];
			return {
				id: id - firstIds.registration + firstIds.eventCheckIn,
				registration: this.registrations.get(event.index, id)!,
				in: iso(checkIn.in),
				out: checkIn.out === null ? null : iso(checkIn.out),
			};
		});
	}

	/** By the session's id, and by what was generated: neither moves when sessions come, change or go. */
	private ofSession(event: DemoEvent, sessionId: number): CheckIn[] {
		const session = this.demoData.sessions(event).find(({ id }) => id === sessionId);
		// Nothing in the demo data is later than its day.
		if (!session || session.endsAt > this.demoData.today) return [];
		const first = firstIds.sessionCheckIn + (session.id - firstIds.session) * idsPerSession;
		return this.open(event)
			.filter(({ id }) => id < firstNewIds.eventCheckIn)
			.flatMap(({ registration }) => {
				const visit = sessionVisit(this.demoData.seed, registration.RegistrationId, session);
				return visit ? [{ registration, visit }] : [];
			})
			.map(({ registration, visit }, index) => ({
				id: first + index,
				registration,
				in: iso(visit.in),
				out: visit.out === null ? null : iso(visit.out),
			}));
	}
}

import { firstIds, firstNewIds, DemoData, PartitionedTable } from '../demoData';
import type { DemoEvent } from '../demoData';
import type { WriteContext } from '../deskBus';
import { indexById } from '../service';
import type { StoredRecords, World } from '../service';
import { toIsoTime } from './records';
import type { Attendee, Registration, Session } from './records';
import { notFound } from './responses';

const FIRST_ATTENDEE_ID = 2_000_001;

/** Returns the number in an ID such as `evt_1004`; undefined if it is not an ID of this kind. */
function parseIdNumber(kind: string, id: string): number | undefined {
	return id.startsWith(`${kind}_`) && /^\d{1,15}$/.test(id.slice(kind.length + 1))
		? Number(id.slice(kind.length + 1))
		: undefined;
}

/** Records of one kind by event, with string IDs. */
export class Records<T extends { id: string; eventId: string }> {
	constructor(
		private readonly kind: string,
		/** Name of a record of this kind in the service's messages. */
		private readonly title: string,
		private readonly table: PartitionedTable<T>,
		private readonly findEventIndex: (eventId: string) => number | undefined,
		private readonly nextIdNumber: () => number,
	) {}

	/** Returns the records of an event; of all events if no ID is given, and none for an unknown event. */
	list(eventId?: string): readonly T[] {
		if (eventId === undefined) return this.table.all();
		const index = this.findEventIndex(eventId);
		return index === undefined ? [] : this.table.list(index);
	}

	count(eventId: string): number {
		return this.table.size(this.findEventIndex(eventId)!);
	}

	find(id: string): T | undefined {
		const number = parseIdNumber(this.kind, id);
		return number === undefined ? undefined : this.table.find(number)?.record;
	}

	/** Returns a record; throws a 404 if it does not exist. */
	get(id: string): T {
		const record = this.find(id);
		if (!record) throw notFound(this.title, id);
		return record;
	}

	/** Adds a record with a new ID to its event, which must exist. */
	add(record: Omit<T, 'id'>): T {
		const added = { id: `${this.kind}_${this.nextIdNumber()}`, ...record } as T;
		this.table.add(this.findEventIndex(added.eventId)!, added);
		return added;
	}

	/** Replaces the record with the same ID and moves it if its event has changed. */
	replace(record: T): T {
		const number = parseIdNumber(this.kind, record.id)!;
		const located = this.table.find(number)!;
		const partition = this.findEventIndex(record.eventId)!;
		if (partition === located.partition) {
			for (const key of Object.keys(located.record)) delete located.record[key as keyof T];
			return Object.assign(located.record, record);
		}
		this.remove(record.id);
		this.table.add(partition, record);
		return record;
	}

	/** Removes a record, which must exist. */
	remove(id: string): void {
		const number = parseIdNumber(this.kind, id)!;
		this.table.remove(this.table.find(number)!.partition, number);
	}
}

/** State of the service: the generated demo data and everything written since. */
export class Store {
	readonly attendees: Records<Attendee>;
	readonly sessions: Records<Session>;
	readonly registrations: Records<Registration>;
	readonly demoData: DemoData;

	constructor(private readonly world: World) {
		const { seed, registrations } = world;
		const demoData = new DemoData({ seed, registrations, today: world.now() });
		this.demoData = demoData;
		const createRecords = <T extends { id: string; eventId: string }>(
			kind: string,
			title: string,
			firstNewNumber: number,
			plan: {
				generate(event: DemoEvent): T[];
				plannedCount(event: DemoEvent): number;
				locate(id: number): number | undefined;
			},
		) => {
			const table = new PartitionedTable<T>({
				partitionCount: demoData.events.length,
				generate: (index) => plan.generate(demoData.events[index]!),
				plannedCount: (index) => plan.plannedCount(demoData.events[index]!),
				idOf: ({ id }) => parseIdNumber(kind, id)!,
				locate: plan.locate,
			});
			let nextNumber = firstNewNumber;
			return new Records(
				kind,
				title,
				table,
				(id) => this.findEvent(id)?.index,
				() => nextNumber++,
			);
		};
		const formatEventId = ({ id }: DemoEvent) => `evt_${id}`;

		this.attendees = createRecords<Attendee>('att', 'Attendee', FIRST_ATTENDEE_ID + 900_000, {
			plannedCount: (event) => event.registrationCount,
			locate: (id) => demoData.eventOfRegistration(id - FIRST_ATTENDEE_ID),
			generate: (event) =>
				demoData.registrations(event).map(({ id, person, status, registeredAt, checkIn }) => ({
					id: `att_${id - firstIds.registration + FIRST_ATTENDEE_ID}`,
					eventId: formatEventId(event),
					firstName: person.firstName,
					lastName: person.lastName,
					email: person.email,
					company: person.company,
					status:
						status === 'Confirmed'
							? 'confirmed'
							: status === 'Cancelled'
								? 'cancelled'
								: 'registered',
					checkInTime: checkIn && toIsoTime(checkIn.in),
					createdAt: toIsoTime(registeredAt),
				})),
		});
		this.registrations = createRecords<Registration>(
			'reg',
			'Registration',
			firstNewIds.registration,
			{
				plannedCount: (event) => event.registrationCount,
				locate: (id) => demoData.eventOfRegistration(id - firstIds.registration),
				generate: (event) =>
					demoData.registrations(event).map(({ id, status, registeredAt }) => ({
						id: `reg_${id}`,
						eventId: formatEventId(event),
						attendeeId: `att_${id - firstIds.registration + FIRST_ATTENDEE_ID}`,
						status:
							status === 'Confirmed'
								? 'confirmed'
								: status === 'Cancelled'
									? 'cancelled'
									: 'pending',
						registrationDate: toIsoTime(registeredAt),
						createdAt: toIsoTime(registeredAt),
					})),
			},
		);
		this.sessions = createRecords<Session>('ses', 'Session', firstNewIds.session, {
			plannedCount: (event) => event.sessionCount,
			locate: (id) => demoData.eventOfSession(id - firstIds.session),
			generate: (event) =>
				demoData.sessions(event).map(({ id, startsAt, endsAt, createdAt, ...talk }) => ({
					id: `ses_${id}`,
					eventId: formatEventId(event),
					title: talk.title,
					description: talk.description,
					speaker: talk.speaker,
					startTime: toIsoTime(startsAt),
					endTime: toIsoTime(endsAt),
					location: talk.location,
					capacity: talk.capacity,
					createdAt: toIsoTime(createdAt),
				})),
		});
	}

	/** Returns all state that requests can change. */
	storedRecords(): StoredRecords {
		const { attendees, registrations, sessions } = this;
		const indexRecords = (records: { list(): ReadonlyArray<{ id: string }> }) =>
			indexById(records.list(), ({ id }) => id);
		return {
			attendees: indexRecords(attendees),
			registrations: indexRecords(registrations),
			sessions: indexRecords(sessions),
		};
	}

	findEvent(id: string): DemoEvent | undefined {
		const number = parseIdNumber('evt', id);
		return number === undefined ? undefined : this.demoData.events[number - firstIds.event];
	}

	/** Returns an event; throws a 404 if it does not exist. */
	getEvent(id: string): DemoEvent {
		const event = this.findEvent(id);
		if (!event) throw notFound('Event', id);
		return event;
	}

	/** Publishes a change to the desk. */
	publish(context: WriteContext, eventId: string, text: string): void {
		this.world.desk.publish(context, { service: 'eventData', eventId, text });
	}
}

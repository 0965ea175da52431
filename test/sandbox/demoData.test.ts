// Protects tests and examples that use the demo data: it is plausible, large enough, and the same for the same seed and day.
import { makePurchase, DemoData, generateSessionVisit } from '../../sandbox/demoData';
import { splitByWeights } from '../../sandbox/demoData/demoData';
import { PartitionedTable } from '../../sandbox/demoData/partitionedTable';
import { foldToAscii } from '../../sandbox/demoData/people';

const today = Date.parse('2026-03-10T15:30:00Z');
const midnight = Date.parse('2026-03-10T00:00:00Z');
const makeDemoData = (options: Partial<ConstructorParameters<typeof DemoData>[0]> = {}) =>
	new DemoData({ seed: 1, registrations: 5000, today, ...options });

function readEverything(demoData: DemoData) {
	return {
		events: demoData.events,
		lists: demoData.lists,
		sessions: demoData.events.map((event) => demoData.sessions(event)),
		registrations: demoData.events.map((event) => demoData.registrations(event)),
		contacts: demoData.lists.map((list) => demoData.contacts(list)),
	};
}

describe('the set of demo data', () => {
	const demoData = makeDemoData();
	const allRecords = readEverything(demoData);
	// Text, since comparing fifty thousand objects one by one takes seconds.
	const serializedRecords = JSON.stringify(allRecords);
	const registrations = allRecords.registrations.flat();

	it('has at least 12 events, 200 sessions, 20 lists and 10,000 contacts, and 5,000 registrations', () => {
		expect(allRecords.events.length).toBeGreaterThanOrEqual(12);
		expect(allRecords.sessions.flat().length).toBeGreaterThanOrEqual(200);
		expect(registrations).toHaveLength(5000);
		expect(allRecords.lists.length).toBeGreaterThanOrEqual(20);
		expect(allRecords.contacts.flat().length).toBeGreaterThanOrEqual(10_000);
		for (const event of allRecords.events) {
			expect(event.types.length).toBeGreaterThan(1);
			expect(event.groups.length).toBeGreaterThan(1);
			expect(event.form.filter((field) => field.required).map(({ name }) => name)).toEqual(
				expect.arrayContaining(['FirstName', 'LastName', 'Email']),
			);
		}
	});

	it('is the same for equal options and differs for another seed', () => {
		expect(JSON.stringify(readEverything(makeDemoData())) === serializedRecords).toBe(true);
		expect(makeDemoData().registration(demoData.events[4]!, 17)).toEqual(
			allRecords.registrations[4]![17],
		);
		const otherRecords = readEverything(makeDemoData({ seed: 2 }));
		expect(otherRecords.registrations[0]![0]).not.toEqual(allRecords.registrations[0]![0]);
		expect(otherRecords.contacts[0]![0]).not.toEqual(allRecords.contacts[0]![0]);
	});

	it('is the same all day, and its dates move with the day', () => {
		expect(
			JSON.stringify(readEverything(makeDemoData({ today: midnight }))) === serializedRecords,
		).toBe(true);
		const tomorrow = makeDemoData({ today: today + 86_400_000 });
		expect(tomorrow.events.map(({ startsAt }) => startsAt - 86_400_000)).toEqual(
			demoData.events.map(({ startsAt }) => startsAt),
		);
		expect(tomorrow.registration(tomorrow.events[0]!, 3).person).toEqual(
			demoData.registration(demoData.events[0]!, 3).person,
		);
	});

	it('has past, ongoing and upcoming events at any time of its day', () => {
		for (const hour of [0, 6, 12, 18, 23.99]) {
			const now = midnight + hour * 3_600_000;
			const past = allRecords.events.filter(({ endsAt }) => endsAt < now);
			const upcoming = allRecords.events.filter(({ startsAt }) => startsAt > now);
			expect([past.length, upcoming.length]).toEqual([9, 5]);
			expect(allRecords.events.length - past.length - upcoming.length).toBe(2);
		}
	});

	it('has no date after its day began, and no update before the record existed', () => {
		const updatedTooEarly = registrations.filter(
			({ registeredAt, updatedAt }) => updatedAt < registeredAt,
		);
		const laterThanDay = registrations.filter(
			({ updatedAt, checkIn }) =>
				Math.max(updatedAt, checkIn?.in ?? 0, checkIn?.out ?? 0) > midnight,
		);
		const oddContacts = allRecords.contacts
			.flat()
			.filter(({ addedAt, updatedAt }) => updatedAt < addedAt || updatedAt > midnight);
		expect([updatedTooEarly, laterThanDay, oddContacts]).toEqual([[], [], []]);
	});

	it('numbers every kind of record without gaps or repeats', () => {
		const ids = [
			registrations.map(({ id }) => id),
			allRecords.sessions.flat().map(({ id }) => id),
			allRecords.contacts.flat().map(({ id }) => id),
		];
		for (const list of ids) {
			expect(list).toEqual(list.map((_, index) => list[0]! + index));
		}
		expect(demoData.eventOfRegistration(0)).toBe(0);
		expect(demoData.eventOfRegistration(4999)).toBe(allRecords.events.length - 1);
		expect(demoData.eventOfRegistration(5000)).toBeUndefined();
		expect(demoData.eventOfRegistration(-1)).toBeUndefined();
	});

	it('has people from many countries, with accents and apostrophes, and plain email addresses', () => {
		const people = registrations.map(({ person }) => person);
		expect(new Set(people.map(({ country }) => country)).size).toBeGreaterThanOrEqual(12);
		expect(people.some(({ lastName }) => lastName.includes("'"))).toBe(true);
		expect(people.some(({ firstName }) => /[^\x00-\x7f]/.test(firstName))).toBe(true);
		const plainEmail = /^[a-z0-9]+\.[a-z0-9]+@[a-z0-9-]+\.example$/;
		expect(people.filter(({ email }) => !plainEmail.test(email))).toEqual([]);
		expect(foldToAscii("Łukasz O'Brien-Weiß Yıldırım", '-')).toBe('lukasz-obrien-weiss-yildirim');
	});

	it('has more than 98 % different people in each event', () => {
		for (const list of allRecords.registrations) {
			const distinctPeople = new Set(list.map(({ person }) => JSON.stringify(person)));
			expect(distinctPeople.size).toBeGreaterThan(list.length * 0.98);
		}
	});

	it('has orders whose items add up to the total, which is paid unless pending or cancelled', () => {
		const event = demoData.events[3]!;
		const statuses = new Set<string>();
		for (const registration of allRecords.registrations[3]!) {
			const { total, items, transactions } = makePurchase(1, event, registration);
			expect(items.reduce((sum, item) => sum + item.option.price * item.quantity, 0)).toBe(total);
			const paid = transactions.reduce((sum, { amount }) => sum + amount, 0);
			const isUnpaid = registration.status === 'Pending' || registration.status === 'Cancelled';
			expect(paid).toBe(isUnpaid ? 0 : total);
			statuses.add(registration.status);
		}
		expect([...statuses].sort()).toEqual(['Cancelled', 'Confirmed', 'Pending', 'Waitlisted']);
	});

	it('has visitors of a session who arrive by its start and leave after its start', () => {
		const event = demoData.events[0]!;
		const session = demoData.sessions(event)[0]!;
		const visits = allRecords.registrations[0]!.flatMap(
			({ id }) => generateSessionVisit(1, id, session) ?? [],
		);
		expect(visits.length).toBeGreaterThan(20);
		for (const visit of visits) {
			expect(visit.in).toBeLessThanOrEqual(session.startsAt);
			expect(visit.out ?? Infinity).toBeGreaterThan(session.startsAt);
		}
	});

	it('is generated in linear time, even with 100,000 registrations', () => {
		const measureCpuTime = (count: number) => {
			const cpuBefore = process.cpuUsage();
			const largeDemoData = makeDemoData({ registrations: count });
			const registrationCount = largeDemoData.events.reduce(
				(sum, event) => sum + largeDemoData.registrations(event).length,
				0,
			);
			expect(registrationCount).toBe(count);
			return process.cpuUsage(cpuBefore).user;
		};
		measureCpuTime(5000);
		// Twenty times the records may take up to a hundred times as long on a loaded machine; quadratic work would take 400 times.
		expect(measureCpuTime(100_000) / measureCpuTime(5000)).toBeLessThan(100);
	});

	it('has totals that are split by weights into parts with the same sum', () => {
		for (const total of [0, 1, 7, 100, 99_999]) {
			const parts = splitByWeights(total, [3, 1, 0, 9]);
			expect(parts.reduce((a, b) => a + b)).toBe(total);
			expect(parts.every((part) => part >= 0)).toBe(true);
			expect(parts[2]).toBe(0);
		}
	});
});

describe('a partitioned table', () => {
	const setUp = () => {
		const filledPartitions: number[] = [];
		const table = new PartitionedTable<{ id: number }>({
			partitionCount: 3,
			generate: (index) => {
				filledPartitions.push(index);
				return [{ id: index * 10 }, { id: index * 10 + 1 }];
			},
			plannedCount: () => 2,
			idOf: ({ id }) => id,
			locate: (id) => (id >= 0 && id < 30 ? Math.floor(id / 10) : undefined),
		});
		return { table, filledPartitions };
	};

	it('generates a partition once, when its records are first read', () => {
		const { table, filledPartitions } = setUp();
		expect([table.size(0), table.size(1)]).toEqual([2, 2]);
		expect(filledPartitions).toEqual([]);
		expect(table.find(11)).toEqual({ record: { id: 11 }, partition: 1 });
		table.list(1);
		expect(filledPartitions).toEqual([1]);
		expect(table.all()).toHaveLength(6);
		expect(filledPartitions.sort()).toEqual([0, 1, 2]);
	});

	it('finds added and moved records, and no removed ones', () => {
		const { table } = setUp();
		table.add(2, { id: 77 });
		expect(table.find(77)?.partition).toBe(2);
		expect(table.size(2)).toBe(3);
		expect(table.remove(0, 1)).toBe(true);
		expect(table.remove(0, 1)).toBe(false);
		expect(table.find(1)).toBeUndefined();
		table.add(1, { id: 1 });
		expect(table.find(1)?.partition).toBe(1);
		expect(table.find(99)).toBeUndefined();
		table.add(5, { id: 88 });
		expect(table.list(5)).toEqual([{ id: 88 }]);
	});
});

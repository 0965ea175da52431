import {
	createContactForm,
	firstIds,
	firstNewIds,
	idsPerRegistration,
	DemoData,
	PartitionedTable,
} from '../demoData';
import type { DemoEvent } from '../demoData';
import type { WriteContext } from '../deskBus';
import { indexById } from '../service';
import type { StoredRecords, World } from '../service';
import { Attendance } from './attendance';
import { toIsoTime, toRegistration, toOrderWithPayments } from './records';
import type {
	Contact,
	ContactList,
	Registration,
	OrderWithItems,
	Session,
	Transaction,
} from './records';
import { notFound } from './responses';

/** A list and the partition of its contacts. */
export interface ListEntry {
	list: ContactList;
	partition: number;
}

/** State of the service: the generated demo data and everything written since. */
export class Store {
	readonly demoData: DemoData;
	readonly contactForm = createContactForm();
	readonly lists = new Map<number, ListEntry>();
	readonly contacts: PartitionedTable<Contact>;
	readonly registrations: PartitionedTable<Registration>;
	readonly sessions: PartitionedTable<Session>;
	readonly orders: PartitionedTable<OrderWithItems>;
	readonly transactions: PartitionedTable<Transaction>;
	readonly attendance: Attendance;
	/** Orders created after the generated ones, by registration. */
	readonly addedOrders = new Map<number, OrderWithItems[]>();
	private readonly nextIds: Record<keyof typeof firstNewIds, number> = { ...firstNewIds };
	private nextPartition: number;

	constructor(private readonly world: World) {
		const demoData = new DemoData({
			seed: world.seed,
			registrations: world.registrations,
			contacts: world.contacts,
			today: world.now(),
		});
		this.demoData = demoData;
		for (const { id, index, name, updatedAt } of demoData.lists) {
			const list = {
				ContactListId: id,
				Id: String(id),
				Name: name,
				LastUpdated: toIsoTime(updatedAt),
			};
			this.lists.set(id, { list, partition: index });
		}
		this.nextPartition = demoData.lists.length;
		this.contacts = createContactTable(demoData);
		const partitionByRegistration = (firstId: number, idsPerEntry = 1) => ({
			partitionCount: demoData.events.length,
			locate: (id: number) =>
				demoData.eventOfRegistration(Math.floor((id - firstId) / idsPerEntry)),
		});
		this.registrations = new PartitionedTable({
			...partitionByRegistration(firstIds.registration),
			plannedCount: (index) => demoData.events[index]!.registrationCount,
			generate: (index) => demoData.registrations(demoData.events[index]!).map(toRegistration),
			idOf: (record) => record.RegistrationId,
		});
		this.sessions = createSessionTable(demoData);
		const generateSales = (index: number) => {
			const event = demoData.events[index]!;
			return demoData
				.registrations(event)
				.map((demoRegistration) => toOrderWithPayments(demoData, event, demoRegistration));
		};
		this.orders = new PartitionedTable<OrderWithItems>({
			...partitionByRegistration(firstIds.order),
			plannedCount: (index) => demoData.events[index]!.registrationCount,
			generate: (index) => generateSales(index).map(({ order, items }) => ({ order, items })),
			idOf: (sale) => sale.order.OrderId,
		});
		this.transactions = new PartitionedTable({
			...partitionByRegistration(firstIds.transaction, idsPerRegistration.transaction),
			plannedCount: (index) => this.transactions.list(index).length,
			generate: (index) => generateSales(index).flatMap(({ transactions }) => transactions),
			idOf: (record) => record.TransactionId,
		});
		this.attendance = new Attendance(demoData, this.registrations, (kind) => this.newId(kind));
	}

	/** Returns all state that requests can change. Contacts are included while their list exists. */
	storedRecords(): StoredRecords {
		const lists = [...this.lists.values()];
		const contacts = lists.flatMap(({ partition }) => this.contacts.list(partition));
		const sales = this.orders.all();
		return {
			contactLists: indexById(
				lists.map(({ list }) => list),
				({ ContactListId }) => ContactListId,
			),
			contacts: indexById(contacts, ({ ContactId }) => ContactId),
			registrations: indexById(this.registrations.all(), ({ RegistrationId }) => RegistrationId),
			orders: indexById(
				sales.map(({ order }) => order),
				({ OrderId }) => OrderId,
			),
			orderItems: indexById(
				sales.flatMap(({ items }) => items),
				({ OrderItemId }) => OrderItemId,
			),
			transactions: indexById(this.transactions.all(), ({ TransactionId }) => TransactionId),
		};
	}

	/** Returns the next ID of a kind for a record that was not generated. */
	newId(kind: keyof typeof firstNewIds): number {
		return this.nextIds[kind]++;
	}

	getEvent(id: number): DemoEvent {
		const event = this.demoData.events[id - firstIds.event];
		if (!event) throw notFound(`There is no event ${id}.`);
		return event;
	}

	getList(id: number): ListEntry {
		const entry = this.lists.get(id);
		if (!entry) throw notFound(`There is no contact list ${id}.`);
		return entry;
	}

	addList(name: string, context: WriteContext): ContactList {
		const id = this.newId('contactList');
		const list = {
			ContactListId: id,
			Id: String(id),
			Name: name,
			LastUpdated: toIsoTime(context.now),
		};
		this.lists.set(id, { list, partition: this.nextPartition++ });
		this.publish(context, `The contact list ${name} was made`, { list });
		return list;
	}

	getContact({ list, partition }: ListEntry, id: number): Contact {
		const contact = this.contacts.get(partition, id);
		if (!contact) throw notFound(`There is no contact ${id} in list ${list.ContactListId}.`);
		return contact;
	}

	/** Publishes a change to the desk. */
	publish(
		context: WriteContext,
		text: string,
		subject: { event?: DemoEvent; list?: ContactList },
	): void {
		this.world.desk.publish(context, {
			service: 'eventRegistration',
			text,
			...(subject.event && { eventId: String(subject.event.id) }),
			...(subject.list && { contactListId: subject.list.Id }),
		});
	}

	getRegistration(event: DemoEvent, id: number): Registration {
		const registration = this.registrations.get(event.index, id);
		if (!registration) throw notFound(`There is no registration ${id} in event ${event.id}.`);
		return registration;
	}

	getSession(event: DemoEvent, id: number): Session {
		const session = this.sessions.get(event.index, id);
		if (!session) throw notFound(`There is no session ${id} in event ${event.id}.`);
		return session;
	}

	getOrder(event: DemoEvent, orderId: number): OrderWithItems {
		const sale = this.orders.get(event.index, orderId);
		if (!sale) throw notFound(`There is no order ${orderId} in event ${event.id}.`);
		return sale;
	}

	/** Returns the orders of a registration, oldest first; the last one is valid. */
	listOrders(event: DemoEvent, registrationId: number): OrderWithItems[] {
		const generatedOrderId = registrationId - firstIds.registration + firstIds.order;
		const generatedSale =
			registrationId < firstNewIds.registration
				? this.orders.get(event.index, generatedOrderId)
				: undefined;
		return [
			...(generatedSale ? [generatedSale] : []),
			...(this.addedOrders.get(registrationId) ?? []),
		];
	}
}

function createContactTable(demoData: DemoData): PartitionedTable<Contact> {
	return new PartitionedTable<Contact>({
		partitionCount: demoData.lists.length,
		locate: (id) => demoData.listOfContact(id - firstIds.contact),
		plannedCount: (index) => demoData.lists[index]!.contactCount,
		generate: (index) =>
			demoData
				.contacts(demoData.lists[index]!)
				.map(({ id, person, custom, addedAt, updatedAt }) => ({
					ContactId: id,
					Id: String(id),
					FirstName: person.firstName,
					LastName: person.lastName,
					Email: person.email,
					Phone: person.phone,
					Organization: person.company,
					Title: person.title,
					CustomFields: custom,
					DateAdded: toIsoTime(addedAt),
					LastUpdated: toIsoTime(updatedAt),
				})),
		idOf: (record) => record.ContactId,
	});
}

function createSessionTable(demoData: DemoData): PartitionedTable<Session> {
	return new PartitionedTable<Session>({
		partitionCount: demoData.events.length,
		locate: (id) => demoData.eventOfSession(id - firstIds.session),
		plannedCount: (index) => demoData.events[index]!.sessionCount,
		generate: (index) =>
			demoData.sessions(demoData.events[index]!).map(({ id, title, startsAt, endsAt }) => ({
				SessionId: id,
				Id: String(id),
				Title: title,
				StartDateTime: toIsoTime(startsAt),
				EndDateTime: toIsoTime(endsAt),
			})),
		idOf: (record) => record.SessionId,
	});
}

import {
	contactForm,
	firstIds,
	firstNewIds,
	idsPerRegistration,
	DemoData,
	PartitionedTable,
} from '../demoData';
import type { DemoEvent } from '../demoData';
import type { Act } from '../deskBus';
import { byId } from '../service';
import type { StoredRecords, World } from '../service';
import { Attendance } from './attendance';
import { iso, toRegistration, toSale } from './records';
import type { Contact, ContactList, Registration, Sale, Session, Transaction } from './records';
import { notFound } from './responses';

/** A list and the partition of its contacts. */
export interface ListEntry {
	list: ContactList;
	partition: number;
}

/** State of the service: the generated demo data and everything written since. */
export class Store {
	readonly demoData: DemoData;
	readonly contactForm = contactForm();
	readonly lists = new Map<number, ListEntry>();
	readonly contacts: PartitionedTable<Contact>;
	readonly registrations: PartitionedTable<Registration>;
	readonly sessions: PartitionedTable<Session>;
	readonly sales: PartitionedTable<Sale>;
	readonly transactions: PartitionedTable<Transaction>;
	readonly attendance: Attendance;
	/** Orders created after the generated ones, by registration. */
	readonly laterSales = new Map<number, Sale[]>();
	private readonly nextIds: Record<keyof typeof firstNewIds, number> = { ...firstNewIds };
	private partitions: number;

	constructor(private readonly world: World) {
		const demoData = new DemoData({
			seed: world.seed,
			registrations: world.registrations,
			contacts: world.contacts,
			today: world.now(),
		});
		this.demoData = demoData;
		for (const { id, index, name, updatedAt } of demoData.lists) {
			const list = { ContactListId: id, Id: String(id), Name: name, LastUpdated: iso(updatedAt) };
			this.lists.set(id, { list, partition: index });
		}
		this.partitions = demoData.lists.length;
		this.contacts = contactTable(demoData);
		const places = (first: number, perRegistration = 1) => ({
			partitions: demoData.events.length,
			locate: (id: number) =>
				demoData.eventOfRegistration(Math.floor((id - first) / perRegistration)),
		});
		this.registrations = new PartitionedTable({
			...places(firstIds.registration),
			planned: (index) => demoData.events[index]!.registrations,
			fill: (index) => demoData.registrations(demoData.events[index]!).map(toRegistration),
			idOf: (record) => record.RegistrationId,
		});
		this.sessions = sessionTable(demoData);
		const salesOf = (index: number) => {
			const event = demoData.events[index]!;
			return demoData.registrations(event).map((from) => toSale(demoData, event, from));
		};
		this.sales = new PartitionedTable<Sale>({
			...places(firstIds.order),
			planned: (index) => demoData.events[index]!.registrations,
			fill: (index) => salesOf(index).map(({ order, items }) => ({ order, items })),
			idOf: (sale) => sale.order.OrderId,
		});
		this.transactions = new PartitionedTable({
			...places(firstIds.transaction, idsPerRegistration.transaction),
			planned: (index) => this.transactions.list(index).length,
			fill: (index) => salesOf(index).flatMap(({ transactions }) => transactions),
			idOf: (record) => record.TransactionId,
		});
		this.attendance = new Attendance(demoData, this.registrations, (kind) => this.newId(kind));
	}

	/** Returns all state that requests can change. Contacts are included while their list exists. */
	storedRecords(): StoredRecords {
		const lists = [...this.lists.values()];
		const contacts = lists.flatMap(({ partition }) => this.contacts.list(partition));
		const sales = this.sales.all();
		return {
			contactLists: byId(
				lists.map(({ list }) => list),
				({ ContactListId }) => ContactListId,
			),
			contacts: byId(contacts, ({ ContactId }) => ContactId),
			registrations: byId(this.registrations.all(), ({ RegistrationId }) => RegistrationId),
			orders: byId(
				sales.map(({ order }) => order),
				({ OrderId }) => OrderId,
			),
			orderItems: byId(
				sales.flatMap(({ items }) => items),
				({ OrderItemId }) => OrderItemId,
			),
			transactions: byId(this.transactions.all(), ({ TransactionId }) => TransactionId),
		};
	}

	/** Returns the next ID of a kind for a record that was not generated. */
	newId(kind: keyof typeof firstNewIds): number {
		return this.nextIds[kind]++;
	}

	event(id: number): DemoEvent {
		const event = this.demoData.events[id - firstIds.event];
		if (!event) throw notFound(`There is no event ${id}.`);
		return event;
	}

	list(id: number): ListEntry {
		const entry = this.lists.get(id);
		if (!entry) throw notFound(`There is no contact list ${id}.`);
		return entry;
	}

	addList(name: string, act: Act): ContactList {
		const id = this.newId('contactList');
		const list = { ContactListId: id, Id: String(id), Name: name, LastUpdated: iso(act.now) };
		this.lists.set(id, { list, partition: this.partitions++ });
		this.publish(act, `The contact list ${name} was made`, { list });
		return list;
	}

	contact({ list, partition }: ListEntry, id: number): Contact {
		const contact = this.contacts.get(partition, id);
		if (!contact) throw notFound(`There is no contact ${id} in list ${list.ContactListId}.`);
		return contact;
	}

	/** Publishes a change to the desk. */
	publish(act: Act, text: string, about: { event?: DemoEvent; list?: ContactList }): void {
		this.world.desk.publish(act, {
			service: 'eventRegistration',
			text,
			...(about.event && { eventId: String(about.event.id) }),
			...(about.list && { contactListId: about.list.Id }),
		});
	}

	registration(event: DemoEvent, id: number): Registration {
		const registration = this.registrations.get(event.index, id);
		if (!registration) throw notFound(`There is no registration ${id} in event ${event.id}.`);
		return registration;
	}

	session(event: DemoEvent, id: number): Session {
		const session = this.sessions.get(event.index, id);
		if (!session) throw notFound(`There is no session ${id} in event ${event.id}.`);
		return session;
	}

	sale(event: DemoEvent, orderId: number): Sale {
		const sale = this.sales.get(event.index, orderId);
		if (!sale) throw notFound(`There is no order ${orderId} in event ${event.id}.`);
		return sale;
	}

	/** Returns the orders of a registration, oldest first; the last one is valid. */
	salesOf(event: DemoEvent, registrationId: number): Sale[] {
		const generated = registrationId - firstIds.registration + firstIds.order;
		const first =
			registrationId < firstNewIds.registration
				? this.sales.get(event.index, generated)
				: undefined;
		return [...(first ? [first] : []), ...(this.laterSales.get(registrationId) ?? [])];
	}
}

function contactTable(demoData: DemoData): PartitionedTable<Contact> {
	return new PartitionedTable<Contact>({
		partitions: demoData.lists.length,
		locate: (id) => demoData.listOfContact(id - firstIds.contact),
		planned: (index) => demoData.lists[index]!.contacts,
		fill: (index) =>
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
					DateAdded: iso(addedAt),
					LastUpdated: iso(updatedAt),
				})),
		idOf: (record) => record.ContactId,
	});
}

function sessionTable(demoData: DemoData): PartitionedTable<Session> {
	return new PartitionedTable<Session>({
		partitions: demoData.events.length,
		locate: (id) => demoData.eventOfSession(id - firstIds.session),
		planned: (index) => demoData.events[index]!.sessions,
		fill: (index) =>
			demoData.sessions(demoData.events[index]!).map(({ id, title, startsAt, endsAt }) => ({
				SessionId: id,
				Id: String(id),
				Title: title,
				StartDateTime: iso(startsAt),
				EndDateTime: iso(endsAt),
			})),
		idOf: (record) => record.SessionId,
	});
}

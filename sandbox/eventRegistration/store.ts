import {
	contactForm,
	firstIds,
	firstNewIds,
	idsPerRegistration,
	Season,
	Shelf,
	type SeasonEvent,
} from '../season';
import { byId, type Holdings, type World } from '../service';
import { notFound } from './answers';
import { createAttendance, type Attendance } from './attendance';
import {
	iso,
	toRegistration,
	toSale,
	type Contact,
	type ContactList,
	type Registration,
	type Sale,
	type Session,
	type Transaction,
} from './records';

/** A list and the compartment that its contacts are in. */
interface ListEntry {
	list: ContactList;
	compartment: number;
}

/** Everything that the service knows: the season as generated, and what was written since. */
export class Store {
	readonly season: Season;
	readonly contactForm = contactForm();
	readonly lists = new Map<number, ListEntry>();
	readonly contacts: Shelf<Contact>;
	readonly registrations: Shelf<Registration>;
	readonly sessions: Shelf<Session>;
	readonly sales: Shelf<Sale>;
	readonly transactions: Shelf<Transaction>;
	readonly attendance: Attendance;
	/** Orders that were made after the generated ones, by registration. */
	readonly laterSales = new Map<number, Sale[]>();
	private readonly nextIds: Record<keyof typeof firstNewIds, number> = { ...firstNewIds };
	private compartments: number;

	constructor(world: World) {
		const season = new Season({
			seed: world.seed,
			registrations: world.registrations,
			contacts: world.contacts,
			today: world.now(),
		});
		this.season = season;
		for (const { id, index, name, updatedAt } of season.lists) {
			const list = { ContactListId: id, Id: String(id), Name: name, LastUpdated: iso(updatedAt) };
			this.lists.set(id, { list, compartment: index });
		}
		this.compartments = season.lists.length;
		this.contacts = contactShelf(season);
		const places = (first: number, perRegistration = 1) => ({
			compartments: season.events.length,
			locate: (id: number) =>
				season.eventOfRegistration(Math.floor((id - first) / perRegistration)),
		});
		this.registrations = new Shelf({
			...places(firstIds.registration),
			planned: (index) => season.events[index]!.registrations,
			fill: (index) => season.registrations(season.events[index]!).map(toRegistration),
			idOf: (record) => record.RegistrationId,
		});
		this.sessions = sessionShelf(season);
		const salesOf = (index: number) => {
			const event = season.events[index]!;
			return season.registrations(event).map((from) => toSale(season, event, from));
		};
		this.sales = new Shelf<Sale>({
			...places(firstIds.order),
			planned: (index) => season.events[index]!.registrations,
			fill: (index) => salesOf(index).map(({ order, items }) => ({ order, items })),
			idOf: (sale) => sale.order.OrderId,
		});
		this.transactions = new Shelf({
			...places(firstIds.transaction, idsPerRegistration.transaction),
			planned: (index) => this.transactions.list(index).length,
			fill: (index) => salesOf(index).flatMap(({ transactions }) => transactions),
			idOf: (record) => record.TransactionId,
		});
		this.attendance = createAttendance(season, this.registrations);
	}

	/** All that requests can change. Contacts count as long as their list is there. */
	holdings(): Holdings {
		const lists = [...this.lists.values()];
		const contacts = lists.flatMap(({ compartment }) => this.contacts.list(compartment));
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

	/** The next id of a kind that was not generated. */
	newId(kind: keyof typeof firstNewIds): number {
		return this.nextIds[kind]++;
	}

	event(id: number): SeasonEvent {
		const event = this.season.events[id - firstIds.event];
		if (!event) throw notFound(`There is no event ${id}.`);
		return event;
	}

	list(id: number): ListEntry {
		const entry = this.lists.get(id);
		if (!entry) throw notFound(`There is no contact list ${id}.`);
		return entry;
	}

	/** Adds an empty contact list. */
	addList(name: string, now: number): ContactList {
		const id = this.newId('contactList');
		const list = { ContactListId: id, Id: String(id), Name: name, LastUpdated: iso(now) };
		this.lists.set(id, { list, compartment: this.compartments++ });
		return list;
	}

	registration(event: SeasonEvent, id: number): Registration {
		const registration = this.registrations.get(event.index, id);
		if (!registration) throw notFound(`There is no registration ${id} in event ${event.id}.`);
		return registration;
	}

	session(event: SeasonEvent, id: number): Session {
		const session = this.sessions.get(event.index, id);
		if (!session) throw notFound(`There is no session ${id} in event ${event.id}.`);
		return session;
	}

	/** The orders of a registration, oldest first; the last one holds. */
	salesOf(event: SeasonEvent, registrationId: number): Sale[] {
		const generated = registrationId - firstIds.registration + firstIds.order;
		const first =
			registrationId < firstNewIds.registration
				? this.sales.get(event.index, generated)
				: undefined;
		return [...(first ? [first] : []), ...(this.laterSales.get(registrationId) ?? [])];
	}
}

function contactShelf(season: Season): Shelf<Contact> {
	return new Shelf<Contact>({
		compartments: season.lists.length,
		locate: (id) => season.listOfContact(id - firstIds.contact),
		planned: (index) => season.lists[index]!.contacts,
		fill: (index) =>
			season.contacts(season.lists[index]!).map(({ id, person, custom, addedAt, updatedAt }) => ({
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

function sessionShelf(season: Season): Shelf<Session> {
	return new Shelf<Session>({
		compartments: season.events.length,
		locate: (id) => season.eventOfSession(id - firstIds.session),
		planned: (index) => season.events[index]!.sessions,
		fill: (index) =>
			season.sessions(season.events[index]!).map(({ id, title, startsAt, endsAt }) => ({
				SessionId: id,
				Id: String(id),
				Title: title,
				StartDateTime: iso(startsAt),
				EndDateTime: iso(endsAt),
			})),
		idOf: (record) => record.SessionId,
	});
}

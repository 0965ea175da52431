import { agenda, listPlans } from './agenda';
import { optionGroups, registrationTypes } from './catalog';
import type { DemoEvent, DemoSession } from './event';
import { industries, leadSources, registrationForm } from './forms';
import { firstIds } from './ids';
import { makeEmptyEvent } from './newEvent';
import type { NewEvent } from './newEvent';
import { makePerson, randomFor } from './people';
import type { Person } from './people';
import { makeRegistration } from './registrations';
import type { DemoRegistration } from './registrations';
import { makeTalk } from './titles';

/** All inputs of the generated demo data. */
export interface DemoSize {
	seed: number;
	/** Number of registrations in all events together. */
	registrations: number;
	/** Number of contacts in all lists together; default: 12,000. */
	contacts?: number;
	/** Reference day for past and future: any time on it, in ms since 1970. */
	today: number;
}

/** One contact of a list, with times in ms since 1970. */
export interface DemoContact {
	id: number;
	person: Person;
	custom: Array<{ Name: string; Value: string }>;
	addedAt: number;
	updatedAt: number;
}

/** One contact list; its contacts are generated on demand. */
interface DemoList {
	index: number;
	id: number;
	name: string;
	contacts: number;
	/** Index of the list's first contact among all contacts. */
	firstContact: number;
	updatedAt: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const purpose = { person: 1, session: 2, contact: 3, list: 4, event: 5 } as const;
const USUAL_CONTACTS = 12_000;

/** Splits a whole number in proportion to weights; the parts add up to it exactly. */
export function share(total: number, weights: readonly number[]): number[] {
	const sum = weights.reduce((a, b) => a + b, 0);
	let seen = 0;
	let given = 0;
	return weights.map((weight) => {
		seen += weight;
		const part = Math.round((total * seen) / sum) - given;
		given += part;
		return part;
	});
}

// With a prime number of people, any stride visits each person once before it repeats one.
function primeFrom(start: number): number {
	const isPrime = (candidate: number) => {
		for (let i = 2; i * i <= candidate; i++) if (candidate % i === 0) return false;
		return true;
	};
	let candidate = start;
	while (!isPrime(candidate)) candidate++;
	return candidate;
}

function indexContaining<T>(
	list: readonly T[],
	place: number,
	range: (candidate: T) => [first: number, count: number],
): number | undefined {
	const index = list.findIndex((candidate) => {
		const [first, count] = range(candidate);
		return place >= first && place < first + count;
	});
	return index < 0 ? undefined : index;
}

function offsetInMs(offset: string): number {
	const [hours, minutes] = offset.slice(1).split(':').map(Number) as [number, number];
	return (offset.startsWith('-') ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
}

/**
 * A set of demo data: sixteen events with sessions, registrations and contact lists. Equal options give equal data. Only
 * events and lists are generated at once. Each registration and contact is generated again on every access, so a caller that
 * changes one must keep it.
 */
export class DemoData {
	readonly seed: number;
	/** Midnight (UTC) of the demo data's day: no generated past is later. */
	readonly today: number;
	/** Current events: callers may change them and add others. */
	readonly events: DemoEvent[];
	/** Events as generated. Records generated later must not depend on changes made meanwhile. */
	private readonly generated: readonly DemoEvent[];
	readonly lists: DemoList[];
	private readonly people: number;

	constructor(options: DemoSize) {
		this.seed = options.seed;
		this.today = Math.floor(options.today / DAY) * DAY;
		this.people = primeFrom(Math.max(4001, Math.ceil(options.registrations * 0.6)));
		this.generated = this.makeEvents(options.registrations);
		this.events = this.generated.map((event) => ({ ...event }));
		this.lists = this.makeLists(options.contacts ?? USUAL_CONTACTS);
	}

	private makeEvents(total: number): DemoEvent[] {
		const counts = share(
			total,
			agenda.map((plan) => plan.weight),
		);
		let firstRegistration = 0;
		let firstSession = 0;
		return agenda.map((plan, index) => {
			const random = randomFor(this.seed, purpose.event, index);
			const startsAt = this.today + plan.startsIn * DAY + 9 * HOUR - offsetInMs(plan.offset);
			const opensAt = startsAt - random.int(130, 160) * DAY;
			const createdAt = opensAt - random.int(20, 60) * DAY + random.int(0, 86_399) * 1000;
			const registrations = counts[index]!;
			const event = {
				...plan,
				index,
				id: firstIds.event + index,
				startsAt,
				endsAt: startsAt + (plan.days - 1) * DAY + 8 * HOUR,
				createdAt,
				updatedAt: Math.min(this.today, opensAt + random.int(1, 90) * DAY),
				opensAt,
				capacity: Math.ceil((registrations * 1.2) / 50) * 50,
				registrations,
				firstRegistration,
				firstSession,
				types: registrationTypes(index),
				groups: optionGroups(index, plan.price),
				form: registrationForm(index),
			};
			firstRegistration += registrations;
			firstSession += plan.sessions;
			return event;
		});
	}

	/** Adds an event with a form, types and options like the others, but without registrations and sessions. */
	addEvent(wanted: NewEvent, now: number): DemoEvent {
		const event = makeEmptyEvent(this.events, wanted, now);
		this.events.push(event);
		return event;
	}

	private makeLists(total: number): DemoList[] {
		const counts = share(
			total,
			listPlans.map(([, weight]) => weight),
		);
		let firstContact = 0;
		return listPlans.map(([name], index) => {
			const random = randomFor(this.seed, purpose.list, index);
			const contacts = counts[index]!;
			const updatedAt = this.today - random.int(1, 60 * 24 * 60) * MINUTE;
			const list = {
				index,
				id: firstIds.contactList + index,
				name,
				contacts,
				firstContact,
				updatedAt,
			};
			firstContact += contacts;
			return list;
		});
	}

	private person(place: number): Person {
		return makePerson(randomFor(this.seed, purpose.person, place % this.people));
	}

	/** Returns the sessions of an event: up to three in parallel each hour, on each of its days. */
	sessions({ index }: DemoEvent): DemoSession[] {
		const event = this.generated[index];
		if (!event) return [];
		const perDay = Math.ceil(event.sessions / event.days);
		return Array.from({ length: event.sessions }, (_, place) => {
			const random = randomFor(this.seed, purpose.session, event.firstSession + place);
			const speaker = makePerson(random);
			const slot = Math.floor((place % perDay) / 3);
			const startsAt = event.startsAt + Math.floor(place / perDay) * DAY + slot * HOUR;
			return {
				id: firstIds.session + event.firstSession + place,
				...makeTalk(random),
				speaker: `${speaker.firstName} ${speaker.lastName}`,
				startsAt,
				endsAt: startsAt + random.pick([30, 45, 55]) * MINUTE,
				createdAt: event.createdAt + random.int(1, 20) * DAY,
			};
		});
	}

	/** Returns the index of the event that contains the registration with this index. */
	eventOfRegistration(place: number): number | undefined {
		return indexContaining(this.events, place, (event) => [
			event.firstRegistration,
			event.registrations,
		]);
	}

	/** Returns the index of the event that contains the session with this index. */
	eventOfSession(place: number): number | undefined {
		return indexContaining(this.events, place, (event) => [event.firstSession, event.sessions]);
	}

	/** Returns the index of the list that contains the contact with this index. */
	listOfContact(place: number): number | undefined {
		return indexContaining(this.lists, place, (list) => [list.firstContact, list.contacts]);
	}

	/** Returns the registration at `place` of an event, counted from 0. */
	registration({ index }: DemoEvent, place: number): DemoRegistration {
		const event = this.generated[index]!;
		const person = this.person(event.index * 977 + place * 31);
		return makeRegistration(this.seed, this.today, event, place, person);
	}

	/** Returns all registrations of an event, oldest first. */
	registrations(event: DemoEvent): DemoRegistration[] {
		return Array.from({ length: event.registrations }, (_, place) =>
			this.registration(event, place),
		);
	}

	contacts(list: DemoList): DemoContact[] {
		return Array.from({ length: list.contacts }, (_, place) => this.contact(list, place));
	}

	/** Returns the contact at `place` of a list, counted from 0. */
	contact(list: DemoList, place: number): DemoContact {
		const index = list.firstContact + place;
		const random = randomFor(this.seed, purpose.contact, index);
		const person = this.person(list.index * 1361 + place * 17);
		const addedAt = list.updatedAt - random.int(1, 400 * 24 * 60) * MINUTE;
		const changed = random.next() < 0.3;
		return {
			id: firstIds.contact + index,
			person,
			custom: [
				{ Name: 'Industry', Value: random.pick(industries) },
				{ Name: 'Country', Value: person.country },
				{ Name: 'LeadSource', Value: random.pick(leadSources) },
			],
			addedAt,
			updatedAt: changed ? addedAt + Math.floor(random.next() * (this.today - addedAt)) : addedAt,
		};
	}
}

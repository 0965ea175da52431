import type { DemoEvent, DemoSession } from './demoEvent';
import { industries, leadSources, createRegistrationForm } from './forms';
import { firstIds } from './ids';
import { makeEmptyEvent } from './newEvent';
import type { NewEvent } from './newEvent';
import { createPerson, createRandomFor } from './people';
import type { Person } from './people';
import { eventPlans, contactListPlans } from './plans';
import { createOptionGroups, createRegistrationTypes } from './registrationOptions';
import { makeRegistration } from './registrations';
import type { DemoRegistration } from './registrations';
import { createTalk } from './talks';

/** All inputs of the generated demo data. */
export interface DemoDataOptions {
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
interface DemoContactList {
	index: number;
	id: number;
	name: string;
	contactCount: number;
	/** Index of the list's first contact among all contacts. */
	firstContact: number;
	updatedAt: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const randomPurposes = { person: 1, session: 2, contact: 3, list: 4, event: 5 } as const;
const DEFAULT_CONTACT_COUNT = 12_000;

/** Splits a whole number in proportion to weights; the parts add up to it exactly. */
export function splitByWeights(total: number, weights: readonly number[]): number[] {
	const sum = weights.reduce((a, b) => a + b, 0);
	let weightSoFar = 0;
	let assigned = 0;
	return weights.map((weight) => {
		weightSoFar += weight;
		const part = Math.round((total * weightSoFar) / sum) - assigned;
		assigned += part;
		return part;
	});
}

// With a prime number of people, any stride visits each person once before it repeats one.
function findPrimeFrom(start: number): number {
	const isPrime = (candidate: number) => {
		for (let i = 2; i * i <= candidate; i++) if (candidate % i === 0) return false;
		return true;
	};
	let candidate = start;
	while (!isPrime(candidate)) candidate++;
	return candidate;
}

function findIndexContaining<T>(
	list: readonly T[],
	globalIndex: number,
	getRange: (candidate: T) => [first: number, count: number],
): number | undefined {
	const index = list.findIndex((candidate) => {
		const [first, count] = getRange(candidate);
		return globalIndex >= first && globalIndex < first + count;
	});
	return index < 0 ? undefined : index;
}

function parseOffsetMs(offset: string): number {
	const [hours, minutes] = offset.slice(1).split(':').map(Number) as [number, number];
	return (offset.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

/** Types, options and form of the planned events: created once, because all sets of demo data share them unchanged. */
const registrationSetups = eventPlans.map(({ price }, index) => ({
	types: createRegistrationTypes(index),
	groups: createOptionGroups(index, price),
	form: createRegistrationForm(index),
}));

/**
 * A set of demo data: sixteen events with sessions, registrations and contact lists. Equal options give equal data. Only
 * events and lists are generated at once. Each registration and contact is generated again on every access, so a caller that
 * changes one must keep it.
 */
export class DemoData {
	readonly seed: number;
	/** Midnight (UTC) of the demo data's day. No generated past time is later. */
	readonly today: number;
	/** Current events: callers may change them and add others. */
	readonly events: DemoEvent[];
	/** Events as generated. Records generated later must not depend on changes made meanwhile. */
	private readonly generatedEvents: readonly DemoEvent[];
	readonly lists: DemoContactList[];
	private readonly personCount: number;

	constructor(options: DemoDataOptions) {
		this.seed = options.seed;
		this.today = Math.floor(options.today / DAY_MS) * DAY_MS;
		this.personCount = findPrimeFrom(Math.max(4001, Math.ceil(options.registrations * 0.6)));
		this.generatedEvents = this.createEvents(options.registrations);
		this.events = this.generatedEvents.map((event) => ({ ...event }));
		this.lists = this.createLists(options.contacts ?? DEFAULT_CONTACT_COUNT);
	}

	private createEvents(totalRegistrations: number): DemoEvent[] {
		const counts = splitByWeights(
			totalRegistrations,
			eventPlans.map((plan) => plan.weight),
		);
		let firstRegistrationIndex = 0;
		let firstSessionIndex = 0;
		return eventPlans.map((plan, index) => {
			const random = createRandomFor(this.seed, randomPurposes.event, index);
			const startsAt =
				this.today + plan.startsInDays * DAY_MS + 9 * HOUR_MS - parseOffsetMs(plan.offset);
			const opensAt = startsAt - random.int(130, 160) * DAY_MS;
			const createdAt = opensAt - random.int(20, 60) * DAY_MS + random.int(0, 86_399) * 1000;
			const registrationCount = counts[index]!;
			const event = {
				...plan,
				index,
				id: firstIds.event + index,
				startsAt,
				endsAt: startsAt + (plan.days - 1) * DAY_MS + 8 * HOUR_MS,
				createdAt,
				updatedAt: Math.min(this.today, opensAt + random.int(1, 90) * DAY_MS),
				opensAt,
				capacity: Math.ceil((registrationCount * 1.2) / 50) * 50,
				registrationCount,
				firstRegistrationIndex,
				firstSessionIndex,
				...registrationSetups[index]!,
			};
			firstRegistrationIndex += registrationCount;
			firstSessionIndex += plan.sessionCount;
			return event;
		});
	}

	/** Adds an event with a form, types and options like the others, but without registrations and sessions. */
	addEvent(newEvent: NewEvent, now: number): DemoEvent {
		const event = makeEmptyEvent(this.events, newEvent, now);
		this.events.push(event);
		return event;
	}

	private createLists(totalContacts: number): DemoContactList[] {
		const counts = splitByWeights(
			totalContacts,
			contactListPlans.map(([, weight]) => weight),
		);
		let firstContact = 0;
		return contactListPlans.map(([name], index) => {
			const random = createRandomFor(this.seed, randomPurposes.list, index);
			const contactCount = counts[index]!;
			const updatedAt = this.today - random.int(1, 60 * 24 * 60) * MINUTE_MS;
			const list = {
				index,
				id: firstIds.contactList + index,
				name,
				contactCount,
				firstContact,
				updatedAt,
			};
			firstContact += contactCount;
			return list;
		});
	}

	private createPersonAt(position: number): Person {
		return createPerson(
			createRandomFor(this.seed, randomPurposes.person, position % this.personCount),
		);
	}

	/** Returns the sessions of an event: up to three in parallel each hour, on each of its days. */
	sessions({ index }: DemoEvent): DemoSession[] {
		const event = this.generatedEvents[index];
		if (!event) return [];
		const perDay = Math.ceil(event.sessionCount / event.days);
		return Array.from({ length: event.sessionCount }, (_, position) => {
			const random = createRandomFor(
				this.seed,
				randomPurposes.session,
				event.firstSessionIndex + position,
			);
			const speaker = createPerson(random);
			const slot = Math.floor((position % perDay) / 3);
			const startsAt = event.startsAt + Math.floor(position / perDay) * DAY_MS + slot * HOUR_MS;
			return {
				id: firstIds.session + event.firstSessionIndex + position,
				...createTalk(random),
				speaker: `${speaker.firstName} ${speaker.lastName}`,
				startsAt,
				endsAt: startsAt + random.pick([30, 45, 55]) * MINUTE_MS,
				createdAt: event.createdAt + random.int(1, 20) * DAY_MS,
			};
		});
	}

	/** Returns the index of the event that contains the registration with this index. */
	eventOfRegistration(globalIndex: number): number | undefined {
		return findIndexContaining(this.events, globalIndex, (event) => [
			event.firstRegistrationIndex,
			event.registrationCount,
		]);
	}

	/** Returns the index of the event that contains the session with this index. */
	eventOfSession(globalIndex: number): number | undefined {
		return findIndexContaining(this.events, globalIndex, (event) => [
			event.firstSessionIndex,
			event.sessionCount,
		]);
	}

	/** Returns the index of the list that contains the contact with this index. */
	listOfContact(globalIndex: number): number | undefined {
		return findIndexContaining(this.lists, globalIndex, (list) => [
			list.firstContact,
			list.contactCount,
		]);
	}

	/** Returns the registration at `position` of an event, counted from 0. */
	registration({ index }: DemoEvent, position: number): DemoRegistration {
		const event = this.generatedEvents[index]!;
		const person = this.createPersonAt(event.index * 977 + position * 31);
		return makeRegistration(this.seed, this.today, event, position, person);
	}

	/** Returns all registrations of an event, oldest first. */
	registrations(event: DemoEvent): DemoRegistration[] {
		return Array.from({ length: event.registrationCount }, (_, position) =>
			this.registration(event, position),
		);
	}

	contacts(list: DemoContactList): DemoContact[] {
		return Array.from({ length: list.contactCount }, (_, position) => this.contact(list, position));
	}

	/** Returns the contact at `position` of a list, counted from 0. */
	contact(list: DemoContactList, position: number): DemoContact {
		const index = list.firstContact + position;
		const random = createRandomFor(this.seed, randomPurposes.contact, index);
		const person = this.createPersonAt(list.index * 1361 + position * 17);
		const addedAt = list.updatedAt - random.int(1, 400 * 24 * 60) * MINUTE_MS;
		const isChanged = random.next() < 0.3;
		return {
			id: firstIds.contact + index,
			person,
			custom: [
				{ Name: 'Industry', Value: random.pick(industries) },
				{ Name: 'Country', Value: person.country },
				{ Name: 'LeadSource', Value: random.pick(leadSources) },
			],
			addedAt,
			updatedAt: isChanged ? addedAt + Math.floor(random.next() * (this.today - addedAt)) : addedAt,
		};
	}
}

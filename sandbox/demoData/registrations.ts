import type { Random } from '../random';
import type { DemoEvent } from './demoEvent';
import { diets, shirtSizes } from './forms';
import { firstIds, idsPerRegistration } from './ids';
import { createRandomFor } from './people';
import type { Person } from './people';
import type { DemoOption } from './registrationOptions';

/** States of a registration, with the names of the registration service. */
type RegistrationStatus = 'Confirmed' | 'Pending' | 'Cancelled' | 'Waitlisted';

/** One registration, with times in ms since 1970. */
export interface DemoRegistration {
	id: number;
	person: Person;
	typeId: number;
	typeName: string;
	status: RegistrationStatus;
	registeredAt: number;
	updatedAt: number;
	code: string;
	/** ID of the registration that invited this guest. */
	hostId: number | null;
	managerEmail: string;
	custom: Array<{ Name: string; Value: string }>;
	checkIn: { in: number; out: number | null } | null;
}

/** One line of an order. */
interface DemoOrderItem {
	id: number;
	option: DemoOption;
	groupName: string;
	quantity: number;
	info: string;
}

/** A payment (positive) or a refund (negative), with its time in ms since 1970. */
interface DemoTransaction {
	id: number;
	type: 'Payment' | 'Refund';
	amount: number;
	at: number;
	method: string;
	memo: string;
}

/** The order of a registration and its payments. */
export interface DemoPurchase {
	orderId: number;
	orderedAt: number;
	total: number;
	items: DemoOrderItem[];
	transactions: DemoTransaction[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const randomPurposes = { registration: 11, purchase: 12, sessions: 13 } as const;
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const paymentMethods = ['Credit Card', 'Credit Card', 'Credit Card', 'Bank Transfer', 'Invoice'];

function pickStatus(random: Random): RegistrationStatus {
	const chance = random.next();
	if (chance < 0.84) return 'Confirmed';
	if (chance < 0.91) return 'Pending';
	return chance < 0.98 ? 'Cancelled' : 'Waitlisted';
}

function generateCustomFields(random: Random, event: DemoEvent, person: Person) {
	const valuesByName: Record<string, string> = {
		Company: person.company,
		JobTitle: person.title,
		Country: person.country,
		Diet: random.next() < 0.6 ? 'None' : random.pick(diets),
		ShirtSize: random.pick(shirtSizes),
		AccessNeeds: random.next() < 0.04 ? 'Step-free access, please' : '',
	};
	return event.form
		.filter((field) => field.custom)
		.map((field) => ({ Name: field.name, Value: valuesByName[field.name] ?? '' }));
}

function generateCheckIn(
	random: Random,
	event: DemoEvent,
	today: number,
): DemoRegistration['checkIn'] {
	// No demo data is later than the demo data's day, so a current event has data for its first days only.
	const daysSoFar = Math.min(event.days, Math.floor((today - event.startsAt) / DAY_MS) + 1);
	if (daysSoFar < 1 || random.next() > 0.88) return null;
	const arrivalDay = random.next() < 0.85 ? 0 : random.int(0, daysSoFar - 1);
	const checkedInAt =
		event.startsAt + arrivalDay * DAY_MS - HOUR_MS + random.int(0, 150 * 60) * 1000;
	return {
		in: checkedInAt,
		out: random.next() < 0.55 ? checkedInAt + random.int(300, 480) * MINUTE_MS : null,
	};
}

/** Generates the registration at `position` of its event. */
export function makeRegistration(
	seed: number,
	today: number,
	event: DemoEvent,
	position: number,
	person: Person,
): DemoRegistration {
	const index = event.firstRegistrationIndex + position;
	const random = createRandomFor(seed, randomPurposes.registration, index);
	const closesAt = Math.min(event.startsAt, today);
	const openMs = closesAt - event.opensAt;
	const exactTime = event.opensAt + ((position + random.next()) / event.registrationCount) * openMs;
	const registeredAt = Math.floor(exactTime / 1000) * 1000;
	const status = pickStatus(random);
	const changeChance = random.next();
	const latestChangeAt = Math.min(today, event.endsAt);
	const updatedAt =
		changeChance < 0.7
			? registeredAt
			: registeredAt + Math.floor(random.next() * (latestChangeAt - registeredAt));
	const typeChance = random.next();
	const typeIndex =
		typeChance < 0.74
			? 0
			: typeChance < 0.82
				? 1
				: typeChance < 0.91
					? 2
					: typeChance < 0.98
						? 3
						: 4;
	const type = event.types[typeIndex]!;
	const isGuest = position > 0 && random.next() < 0.05;
	return {
		id: firstIds.registration + index,
		person,
		typeId: type.id,
		typeName: type.name,
		status,
		registeredAt,
		updatedAt,
		code: random.text(8, CODE_ALPHABET),
		hostId: isGuest ? firstIds.registration + index - 1 : null,
		managerEmail: random.next() < 0.1 ? `events@${person.email.split('@')[1]}` : '',
		custom: generateCustomFields(random, event, person),
		checkIn: status === 'Confirmed' ? generateCheckIn(random, event, today) : null,
	};
}

/** Generates the order of a registration with its items and transactions. */
export function makePurchase(
	seed: number,
	event: DemoEvent,
	registration: DemoRegistration,
): DemoPurchase {
	const index = registration.id - firstIds.registration;
	const random = createRandomFor(seed, randomPurposes.purchase, index);
	const [admission, workshops, evening] = event.groups;
	const isFree = ['Speaker', 'Press', 'Sponsor'].includes(registration.typeName);
	const passIndex = isFree
		? 3
		: registration.typeName === 'Student'
			? 2
			: random.next() < 0.8
				? 0
				: 1;
	const chosenOptions = [{ group: admission!, option: admission!.options[passIndex]! }];
	if (random.next() < 0.3)
		chosenOptions.push({ group: workshops!, option: random.pick(workshops!.options) });
	for (const option of evening!.options) {
		if (random.next() < 0.35) chosenOptions.push({ group: evening!, option });
	}
	const diet = registration.custom.find((field) => field.Name === 'Diet')?.Value ?? 'None';
	const items = chosenOptions.map(({ group, option }, position) => ({
		id: firstIds.orderItem + index * idsPerRegistration.orderItem + position,
		option,
		groupName: group.name,
		quantity: 1,
		info: option.question ? diet : '',
	}));
	const total = items.reduce((sum, item) => sum + item.option.price * item.quantity, 0);
	const transactions: DemoTransaction[] = [];
	if (total > 0 && registration.status !== 'Pending') {
		const method = random.pick(paymentMethods);
		const id = firstIds.transaction + index * idsPerRegistration.transaction;
		const paidAt = registration.registeredAt + 12_000;
		transactions.push({ id, type: 'Payment', amount: total, at: paidAt, method, memo: '' });
		if (registration.status === 'Cancelled') {
			const checkedInAt = Math.max(registration.updatedAt, paidAt);
			const memo = 'Registration canceled';
			transactions.push({
				id: id + 1,
				type: 'Refund',
				amount: -total,
				at: checkedInAt,
				method,
				memo,
			});
		}
	}
	return {
		orderId: firstIds.order + index,
		orderedAt: registration.registeredAt,
		total,
		items,
		transactions,
	};
}

/** Returns the time that an attendee of the event spent in a session, if any. */
export function generateSessionVisit(
	seed: number,
	registrationId: number,
	session: { id: number; startsAt: number; endsAt: number },
): { in: number; out: number | null } | null {
	const random = createRandomFor(seed, randomPurposes.sessions + session.id, registrationId);
	if (random.next() > 0.22) return null;
	const checkedInAt = session.startsAt - random.int(0, 12 * 60) * 1000;
	return {
		in: checkedInAt,
		out: random.next() < 0.8 ? session.endsAt + random.int(-300, 300) * 1000 : null,
	};
}

import { optionGroups, registrationTypes } from './catalog';
import type { DemoEvent } from './event';
import { registrationForm } from './forms';
import { firstIds } from './ids';

/** Properties of an event created at run time; times in ms since 1970. */
export interface NewEvent {
	name: string;
	startsAt: number;
	endsAt: number;
	description?: string;
	city?: string;
	offset?: string;
	capacity?: number;
}

const DAY = 24 * 60 * 60 * 1000;
const USUAL_CAPACITY = 200;
const USUAL_PRICE = 100;

/** Returns an event with the next ID, without registrations and sessions. */
export function makeEmptyEvent(
	others: readonly DemoEvent[],
	wanted: NewEvent,
	now: number,
): DemoEvent {
	const index = others.length;
	const last = others.at(-1)!;
	return {
		description: '',
		city: '',
		offset: '+00:00',
		capacity: USUAL_CAPACITY,
		...wanted,
		index,
		id: firstIds.event + index,
		currency: 'EUR',
		price: USUAL_PRICE,
		startsIn: Math.round((wanted.startsAt - now) / DAY),
		days: Math.max(1, Math.ceil((wanted.endsAt - wanted.startsAt) / DAY)),
		weight: 0,
		createdAt: now,
		updatedAt: now,
		opensAt: now,
		registrations: 0,
		firstRegistration: last.firstRegistration + last.registrations,
		sessions: 0,
		firstSession: last.firstSession + last.sessions,
		types: registrationTypes(index),
		groups: optionGroups(index, USUAL_PRICE),
		form: registrationForm(index),
	};
}

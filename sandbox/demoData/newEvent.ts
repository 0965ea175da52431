import type { DemoEvent } from './demoEvent';
import { createRegistrationForm } from './forms';
import { firstIds } from './ids';
import { createOptionGroups, createRegistrationTypes } from './registrationOptions';

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

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_CAPACITY = 200;
const DEFAULT_PRICE = 100;

/** Returns an event with the next ID, without registrations and sessions. */
export function makeEmptyEvent(
	existingEvents: readonly DemoEvent[],
	newEvent: NewEvent,
	now: number,
): DemoEvent {
	const index = existingEvents.length;
	const lastEvent = existingEvents.at(-1)!;
	return {
		description: '',
		city: '',
		offset: '+00:00',
		capacity: DEFAULT_CAPACITY,
		...newEvent,
		index,
		id: firstIds.event + index,
		currency: 'EUR',
		price: DEFAULT_PRICE,
		startsInDays: Math.round((newEvent.startsAt - now) / DAY_MS),
		days: Math.max(1, Math.ceil((newEvent.endsAt - newEvent.startsAt) / DAY_MS)),
		weight: 0,
		createdAt: now,
		updatedAt: now,
		opensAt: now,
		registrationCount: 0,
		firstRegistrationIndex: lastEvent.firstRegistrationIndex + lastEvent.registrationCount,
		sessionCount: 0,
		firstSessionIndex: lastEvent.firstSessionIndex + lastEvent.sessionCount,
		types: createRegistrationTypes(index),
		groups: createOptionGroups(index, DEFAULT_PRICE),
		form: createRegistrationForm(index),
	};
}

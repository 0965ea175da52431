import type { DemoEvent } from '../demoData';
import { toIsoTime } from './records';
import type { Store } from './store';

/** Returns an event as the service shows it; whether it is over depends on the time. */
export const showEvent = (store: Store, event: DemoEvent, now: number) => ({
	id: `evt_${event.id}`,
	name: event.name,
	description: event.description,
	startDate: toIsoTime(event.startsAt),
	endDate: toIsoTime(event.endsAt),
	location: event.city,
	capacity: event.capacity,
	status: now < event.startsAt ? 'upcoming' : now <= event.endsAt ? 'ongoing' : 'past',
	attendeeCount: store.attendees.count(`evt_${event.id}`),
	createdAt: toIsoTime(event.createdAt),
});

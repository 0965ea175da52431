import { searchList } from '../engine/lists';
import { service } from './service';
import { paging } from './paging';

const value = ({ id }: { id?: unknown }) => `${id}`;
const text = (given: unknown) => (given ? `${given}` : undefined);

/** The lists that users pick from. */
export const lists = {
	searchEvents: searchList(service, {
		path: '/events',
		paging: { ...paging, page: 'page' },
		name: ({ name, startDate }) => `${name} (${`${startDate}`.slice(0, 10)})`,
		value,
		description: ({ location }) => text(location),
	}),
	searchAttendees: searchList(service, {
		path: '/attendees',
		paging,
		name: ({ firstName, lastName, email }) => `${firstName} ${lastName} (${email})`,
		value,
		description: ({ company }) => text(company),
	}),
	searchSessions: searchList(service, {
		path: '/sessions',
		paging,
		name: ({ title, startTime }) => `${title} (${`${startTime}`.slice(0, 10)})`,
		value,
		description: ({ speaker }) => text(speaker),
	}),
	searchRegistrations: searchList(service, {
		path: '/registrations',
		paging,
		name: ({ id, attendeeId, status }) => `${id}: attendee ${attendeeId} (${status})`,
		value,
	}),
};

import { apart, searchList, textIn } from '../engine/panel/lists';
import { paging } from './paging';
import { service } from './service';

/** The lists that users pick from. */
export const lists = {
	searchEvents: searchList(service, {
		path: '/events',
		paging: { ...paging, page: 'page' },
		name: (record) => apart(textIn(record, 'name'), textIn(record, 'startDate').slice(0, 10)),
		description: (record) => textIn(record, 'location') || undefined,
	}),
	searchAttendees: searchList(service, {
		path: '/attendees',
		paging,
		name: (record) => apart(textIn(record, 'firstName', 'lastName'), textIn(record, 'email')),
		description: (record) => textIn(record, 'company') || undefined,
	}),
	searchSessions: searchList(service, {
		path: '/sessions',
		paging,
		name: (record) => apart(textIn(record, 'title'), textIn(record, 'startTime').slice(0, 10)),
		description: (record) => textIn(record, 'speaker') || undefined,
	}),
	searchRegistrations: searchList(service, {
		path: '/registrations',
		paging,
		name: (record) => {
			const attendee = textIn(record, 'attendeeId');
			const whose = attendee && `: attendee ${attendee}`;
			return apart(`${textIn(record, 'id')}${whose}`, textIn(record, 'status'));
		},
	}),
};

import type { IDataObject } from 'n8n-workflow';

import { searchList, textIn, withDetail } from '../engine/panel/pickLists';
import { upcomingFirst } from '../engine/panel/upcoming';
import { eventPaging, paging } from './paging';
import { service } from './service';

const events = { path: '/events', paging: eventPaging };
const attendees = { path: '/attendees', paging };

const person = (record: IDataObject) =>
	withDetail(textIn(record, 'firstName', 'lastName'), textIn(record, 'email'));

/** `listSearch` methods of the resource locators. */
export const listSearchMethods = {
	searchEvents: searchList(service, {
		...events,
		sort: upcomingFirst({ start: 'startDate', end: 'endDate' }),
		name: (record) => withDetail(textIn(record, 'name'), textIn(record, 'startDate').slice(0, 10)),
		description: (record) => textIn(record, 'location') || undefined,
	}),
	searchAttendees: searchList(service, {
		...attendees,
		name: person,
		description: (record) => textIn(record, 'company') || undefined,
	}),
	searchSessions: searchList(service, {
		path: '/sessions',
		paging,
		sort: upcomingFirst({ start: 'startTime', end: 'endTime' }),
		name: (record) => withDetail(textIn(record, 'title'), textIn(record, 'startTime').slice(0, 10)),
		description: (record) => textIn(record, 'speaker') || undefined,
	}),
	searchRegistrations: searchList(service, {
		path: '/registrations',
		paging,
		related: { attendees, events },
		name: (record, find) => {
			const attendee = textIn(record, 'attendeeId');
			const event = textIn(record, 'eventId');
			const personName = person(find('attendees', attendee) ?? {}) || attendee;
			const eventName = textIn(find('events', event) ?? {}, 'name') || event;
			return [personName, eventName, textIn(record, 'status')].filter(Boolean).join(', ');
		},
	}),
};

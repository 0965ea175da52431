import type { IDataObject } from 'n8n-workflow';

import type { Paging } from '../../engine/http/pages';
import type { Request } from '../../engine/http/types';
import type { Facets } from '../../engine/trigger/lists/core';
import type { FollowedList } from '../../engine/trigger/lists/followable';
import type { RecordNames } from '../../engine/trigger/lists/names';
import { firstText } from '../../engine/values/convert';
import { paging } from '../paging';
import { kinds } from './kinds';

/** Whose records are followed: those of one event, or of all. */
export type Scope =
	| {
			id: string;
			record?: IDataObject;
			/** Whether the service does not know the event, or not any more. */
			gone: boolean;
	  }
	| { names: RecordNames };

/** What counts others: a record has not changed because there are more of them. */
const COUNTERS = ['attendeeCount', 'registrationCount', 'RegistrationCount'];

/** What an event is called. */
export const nameOf = (event: IDataObject): string | undefined => firstText(event, ['name']);

/** How the events come, which are the only list with pages by its description. */
export const eventPages: Paging = { ...paging, page: 'page' };

interface ListDescription {
	/** What its records are called, in messages and in the output. */
	record: string;
	facets: Facets;
}

const ATTENDEES: ListDescription = {
	record: 'attendee',
	facets: {
		once: [
			{ kind: 'attendeeCreated', at: ['createdAt'], creation: true },
			{ kind: 'attendeeCheckedIn', at: ['checkInTime'] },
		],
		status: { kind: 'attendeeStatusChanged', field: 'status' },
		updated: 'attendeeUpdated',
		ignored: COUNTERS,
	},
};

const REGISTRATIONS: ListDescription = {
	record: 'registration',
	facets: {
		once: [{ kind: 'registrationCreated', at: ['createdAt', 'registrationDate'], creation: true }],
		status: { kind: 'registrationStatusChanged', field: 'status' },
	},
};

const SESSIONS: ListDescription = {
	record: 'session',
	facets: {
		once: [{ kind: 'sessionCreated', at: ['createdAt'], creation: true }],
		updated: 'sessionUpdated',
		ignored: COUNTERS,
	},
};

const EVENTS: ListDescription = {
	record: 'event',
	facets: {
		once: [{ kind: 'eventCreated', at: ['createdAt'], creation: true }],
		updated: 'eventUpdated',
		ignored: COUNTERS,
	},
};

/** A list of this service, as a trigger follows it: it cannot be asked for changes, so all of it is read and compared. */
const followedList = (
	{ record, facets }: ListDescription,
	request: Pick<Request, 'path' | 'params' | 'labels' | 'query'>,
	own: Pick<FollowedList, 'key' | 'name'> & Partial<FollowedList>,
	about: (record: IDataObject) => IDataObject = () => ({}),
): FollowedList => ({
	facets,
	filtered: false,
	paging,
	identify: ({ id }) => id,
	request: () => ({ method: 'GET', ...request, repeatable: true }),
	item: ({ kind, record: given }) => ({
		change: kinds.changeOf(kind),
		record,
		...about(given),
		...given,
	}),
	...own,
});

const eventOf = ({ eventId }: IDataObject) => `${eventId ?? ''}`;
const eventNameField = (eventName: string | undefined) =>
	eventName === undefined ? {} : { eventName };

/** A list whose records belong to events. */
const perEventList =
	(description: ListDescription) =>
	(scope: Scope): FollowedList => {
		const plural = `${description.record}s`;
		if ('names' in scope) {
			const { names } = scope;
			return followedList(
				description,
				{ path: `/${plural}` },
				{
					key: plural,
					name: `The ${plural} of all events`,
					prepare: async (client, records) =>
						await names.learn(client, [...new Set(records.map(eventOf))]),
				},
				(record) => eventNameField(names.get(eventOf(record))),
			);
		}
		const { id, gone } = scope;
		const name = scope.record && nameOf(scope.record);
		return followedList(
			description,
			{ path: `/${plural}`, query: { eventId: id } },
			{
				key: `${plural} ${id}`,
				name: `The ${plural} of ${name ?? `event ${id}`}`,
				gone,
				// Should the service ignore what it was asked for.
				matches: (record) => [id, ''].includes(eventOf(record)),
			},
			() => eventNameField(name),
		);
	};

/** Who takes part. */
export const attendees = perEventList(ATTENDEES);

/** Who is registered. */
export const registrations = perEventList(REGISTRATIONS);

/** The schedule. */
export const sessions = perEventList(SESSIONS);

/** The events themselves, or one of them. */
export const events = (id?: string): FollowedList =>
	id === undefined
		? followedList(
				EVENTS,
				{ path: '/events' },
				{ key: 'events', name: 'The events', paging: eventPages },
			)
		: followedList(
				EVENTS,
				{ path: '/events/{eventId}', params: { eventId: id }, labels: { eventId: 'Event' } },
				{ key: `event ${id}`, name: `Event ${id}` },
			);

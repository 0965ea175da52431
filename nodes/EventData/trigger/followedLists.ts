import type { IDataObject } from 'n8n-workflow';

import type { NamesById } from '../../engine/http/namesById';
import { toPathSegment } from '../../engine/http/path';
import type { Request } from '../../engine/http/types';
import type { ChangeSchema } from '../../engine/trigger/lists/core';
import { itemOfChange, missingOwnerFields } from '../../engine/trigger/lists/listTriggerDefinition';
import type { FollowedList } from '../../engine/trigger/lists/listTriggerDefinition';
import { rethrowUnlessMissing } from '../../engine/trigger/lists/rethrowUnlessMissing';
import { firstText } from '../../engine/values/convert';
import { eventPaging, paging } from '../paging';
import { changeKinds } from './changeKinds';

/** The records to follow: those of one event, or those of all events with the names of the events. */
export type Scope =
	| {
			id: string;
			record?: IDataObject;
			/** Whether the service does not have the event, or no longer has it. */
			isGone: boolean;
	  }
	| { names: NamesById };

/** Counts of other records. A record has not changed if only its counts differ. */
const COUNTERS = ['attendeeCount', 'registrationCount', 'RegistrationCount'];

export const nameOf = (event: IDataObject): string | undefined => firstText(event, ['name']);

/** Description of a followed list. */
interface ListDescription {
	/** The name of one record, in messages and in the output field `record`. */
	recordType: string;
	changeSchema: ChangeSchema;
}

const ATTENDEES: ListDescription = {
	recordType: 'attendee',
	changeSchema: {
		oneTimeEvents: [
			{ kind: 'attendeeCreated', dateFields: ['createdAt'], isCreation: true },
			{ kind: 'attendeeCheckedIn', dateFields: ['checkInTime'] },
		],
		status: { kind: 'attendeeStatusChanged', field: 'status' },
		updated: 'attendeeUpdated',
		ignored: COUNTERS,
	},
};

const REGISTRATIONS: ListDescription = {
	recordType: 'registration',
	changeSchema: {
		oneTimeEvents: [
			{
				kind: 'registrationCreated',
				dateFields: ['createdAt', 'registrationDate'],
				isCreation: true,
			},
		],
		status: { kind: 'registrationStatusChanged', field: 'status' },
	},
};

const SESSIONS: ListDescription = {
	recordType: 'session',
	changeSchema: {
		oneTimeEvents: [{ kind: 'sessionCreated', dateFields: ['createdAt'], isCreation: true }],
		updated: 'sessionUpdated',
		ignored: COUNTERS,
	},
};

const EVENTS: ListDescription = {
	recordType: 'event',
	changeSchema: {
		oneTimeEvents: [{ kind: 'eventCreated', dateFields: ['createdAt'], isCreation: true }],
		updated: 'eventUpdated',
		ignored: COUNTERS,
	},
};

/** Creates a followed list. The service has no filter for changes, so each poll reads the whole list and compares it. */
const followedList = (
	{ recordType, changeSchema }: ListDescription,
	request: Pick<Request, 'path' | 'params' | 'query'>,
	overrides: Pick<FollowedList, 'key' | 'name'> & Partial<FollowedList>,
	extraFieldsOf: (record: IDataObject) => IDataObject = () => ({}),
): FollowedList => ({
	changeSchema,
	isFiltered: false,
	paging,
	identify: ({ id }) => id,
	request: () => ({ method: 'GET', ...request, idempotent: true }),
	buildItem: ({ kind, record }) =>
		itemOfChange(
			{ change: changeKinds.changeOf(kind), record: recordType },
			{ ...extraFieldsOf(record), ...record },
		),
	...overrides,
});

const eventIdOf = ({ eventId }: IDataObject) => `${eventId ?? ''}`;
const eventNameField = (eventName: string | undefined) =>
	eventName === undefined ? {} : { eventName };

/** Creates a function that returns the followed list of records that belong to events, for one event or for all. */
const perEventList =
	(description: ListDescription) =>
	(scope: Scope): FollowedList => {
		const plural = `${description.recordType}s`;
		if ('names' in scope) {
			const { names } = scope;
			return followedList(
				description,
				{ path: `/${plural}` },
				{
					key: plural,
					name: `The ${plural} of all events`,
					prepare: async (client, records) => {
						// Without the list of events, records have no event name. Any other failure lets the poll fail.
						const ids = [...new Set(records.map(eventIdOf))];
						await names.load(client, ids).catch(rethrowUnlessMissing);
					},
				},
				(record) => eventNameField(names.get(eventIdOf(record))),
			);
		}
		const { id, isGone } = scope;
		const name = scope.record && nameOf(scope.record);
		return followedList(
			description,
			{ path: `/${plural}`, query: { eventId: id } },
			{
				key: `${plural} ${id}`,
				name: `The ${plural} of ${name ?? `event ${id}`}`,
				...(isGone && missingOwnerFields('event', id, name)),
				// Drops records of other events, in case the service ignores the filter.
				matches: (record) => [id, ''].includes(eventIdOf(record)),
			},
			() => eventNameField(name),
		);
	};

export const attendees = perEventList(ATTENDEES);

export const registrations = perEventList(REGISTRATIONS);

export const sessions = perEventList(SESSIONS);

/** Returns the list of all events, or one event as a list. */
export const events = (id?: string): FollowedList =>
	id === undefined
		? followedList(
				EVENTS,
				{ path: '/events' },
				{ key: 'events', name: 'The events', paging: eventPaging },
			)
		: followedList(
				EVENTS,
				{ path: '/events/{eventId}', params: { eventId: toPathSegment('Event', id) } },
				{
					key: `event ${id}`,
					name: `Event ${id}`,
					missingOwner: { noun: 'event', name: `event ${id}` },
				},
			);

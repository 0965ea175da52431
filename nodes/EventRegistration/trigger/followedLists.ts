import type { IDataObject } from 'n8n-workflow';

import type { NamesById } from '../../engine/http/namesById';
import { toPathSegment } from '../../engine/http/path';
import type { FollowedList } from '../../engine/trigger/lists/listTriggerDefinition';
import { normalizeId } from '../../engine/values/convert';
import { lists } from '../lists';
import { nameOf } from '../paging';
import {
	contactShape,
	eventAttendanceShape,
	eventShape,
	orderShape,
	registrationShape,
	sessionAttendanceShape,
	transactionShape,
} from '../records';
import { typeNameField, unnamedTypeOf } from '../typeNames';
import { followedList } from './followedList';

/**
 * The event or contact list that a followed list belongs to. `record` is its own record, which contains its name; missing if
 * it was not read.
 */
export interface ListOwner {
	id: string;
	record?: IDataObject;
}

const eventName = ({ id, record }: ListOwner) =>
	(record && nameOf(record, 'Event')) || `event ${id}`;

const eventFields = (event: ListOwner): IDataObject => ({
	EventId: normalizeId(event.id),
	...(event.record && { EventName: nameOf(event.record, 'Event') }),
});

const LAST_UPDATED = 'LastUpdated';
const TYPE_NAME_LIMITS = { maxAttempts: 1, maxRetryDelayMs: 0, timeoutMs: 3000 };

/**
 * Defines the list of an event's registrations, optionally of one registration type only. Simplified items get the name of
 * their type, as in the output of the node's operations.
 */
export const registrations = (
	event: ListOwner,
	simplify: boolean,
	typeNames: NamesById,
	type?: string,
): FollowedList =>
	followedList(
		{
			key: `registrations ${event.id}`,
			list: lists.registrations,
			ownerName: eventName(event),
			shape: registrationShape,
			changeSchema: {
				oneTimeEvents: [
					{
						kind: 'registrationCreated',
						dateFields: ['RegistrationDate', 'DateAdded'],
						isCreation: true,
					},
				],
				updated: 'registrationUpdated',
				stamp: LAST_UPDATED,
			},
			params: { eventId: toPathSegment('Event', event.id) },
			sinceParameter: 'lastUpdatedAfter',
			ownerFields: eventFields(event),
			...(simplify && {
				lookUp: {
					// The names are optional, so a start waits neither long nor for a rate limit that all lists share.
					prepare: async (client, records) => {
						const ids = records.map(unnamedTypeOf).filter((id) => id !== undefined);
						await typeNames.load(client.with(TYPE_NAME_LIMITS), ids).catch(() => undefined);
					},
					fieldsOf: (record) => typeNameField(record, (typeId) => typeNames.get(typeId)),
				},
			}),
			...(type && { matches: ({ RegistrationTypeId }) => `${RegistrationTypeId}` === type }),
		},
		simplify,
	);

export const attendance = (event: ListOwner, simplify: boolean): FollowedList =>
	followedList(
		{
			key: `attendance ${event.id}`,
			list: lists.attendance,
			recordType: 'attendance',
			ownerName: eventName(event),
			shape: eventAttendanceShape,
			changeSchema: {
				oneTimeEvents: [
					{ kind: 'checkedIn', dateFields: ['CheckInDateTime'] },
					{ kind: 'checkedOut', dateFields: ['CheckOutDateTime'] },
				],
			},
			params: { eventId: toPathSegment('Event', event.id) },
			sinceParameter: 'lastUpdatedAfter',
			ownerFields: eventFields(event),
		},
		simplify,
	);

export const sessionAttendance = (
	event: ListOwner,
	sessionId: string,
	simplify: boolean,
): FollowedList =>
	followedList(
		{
			key: `attendance ${event.id} ${sessionId}`,
			list: lists.sessionAttendance,
			recordType: 'attendance',
			plural: `check-ins to session ${sessionId}`,
			ownerName: eventName(event),
			shape: sessionAttendanceShape,
			changeSchema: {
				oneTimeEvents: [{ kind: 'checkedInToSession', dateFields: ['CheckInDateTime'] }],
			},
			params: {
				eventId: toPathSegment('Event', event.id),
				sessionId: toPathSegment('Session', sessionId),
			},
			sinceParameter: 'lastUpdatedAfter',
			ownerFields: { ...eventFields(event), SessionId: normalizeId(sessionId) },
		},
		simplify,
	);

export const orders = (event: ListOwner): FollowedList =>
	followedList(
		{
			key: `orders ${event.id}`,
			list: lists.orders,
			ownerName: eventName(event),
			shape: orderShape,
			changeSchema: {
				oneTimeEvents: [
					{ kind: 'orderPlaced', dateFields: ['OrderDate', 'DateAdded'], isCreation: true },
				],
			},
			bodyEventId: event.id,
			sinceParameter: 'addedAfter',
			ownerFields: eventFields(event),
		},
		false,
	);

export const transactions = (event: ListOwner): FollowedList =>
	followedList(
		{
			key: `transactions ${event.id}`,
			list: lists.eventTransactions,
			ownerName: eventName(event),
			shape: transactionShape,
			changeSchema: {
				oneTimeEvents: [
					{
						kind: 'transactionRecorded',
						dateFields: ['TransactionDate', 'DateAdded'],
						isCreation: true,
					},
				],
			},
			bodyEventId: event.id,
			sinceParameter: 'addedAfter',
			ownerFields: eventFields(event),
		},
		false,
	);

/**
 * Defines the list of all events, or of the event with this ID. Each registration changes an event's `RegistrationCount` and
 * `LastUpdated`, so both are ignored.
 */
export const events = (id?: string): FollowedList =>
	followedList(
		{
			key: id === undefined ? 'events' : `event ${id}`,
			list: lists.events,
			ownerName: 'this account',
			shape: eventShape,
			changeSchema: {
				oneTimeEvents: [],
				updated: 'eventUpdated',
				ignored: ['RegistrationCount', LAST_UPDATED],
			},
			sinceParameter: 'updatedAfter',
			ownerFields: {},
			keepsAll: true,
			...(id !== undefined && { matches: ({ EventId, Id }) => `${EventId ?? Id}` === id }),
		},
		false,
	);

export const contacts = (contactList: ListOwner, simplify: boolean): FollowedList => {
	const name = contactList.record && nameOf(contactList.record, 'ContactList');
	return followedList(
		{
			key: `contacts ${contactList.id}`,
			list: lists.contacts,
			ownerName: name || `contact list ${contactList.id}`,
			shape: contactShape,
			changeSchema: {
				oneTimeEvents: [{ kind: 'contactAdded', dateFields: ['DateAdded'], isCreation: true }],
				updated: 'contactUpdated',
				stamp: LAST_UPDATED,
			},
			params: { contactListId: toPathSegment('Contact List', contactList.id) },
			sinceParameter: 'updatedAfter',
			ownerFields: {
				ContactListId: normalizeId(contactList.id),
				...(name && { ContactListName: name }),
			},
		},
		simplify,
	);
};

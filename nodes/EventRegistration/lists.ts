import type { Paging } from '../engine/http/pages';
import { pagingByRecordId } from './paging';

/** A list of the service, as everything that reads it or writes to it needs it. Requests with the same path share pauses. */
export interface ServiceList {
	/** Singular and plural, for messages. */
	nouns: readonly [one: string, many: string];
	/** Path template of the list. */
	path: string;
	/** Path template of one record, and the parameter in it. */
	recordPath: string;
	idParameter: string;
	/** Name of the field with a record's ID. */
	idField: string;
	paging: Paging;
}

function list(
	nouns: ServiceList['nouns'],
	relativePath: string,
	idField: string,
	...otherIds: string[]
): ServiceList {
	const path = `/api/v1${relativePath}`;
	const idParameter = idField.charAt(0).toLowerCase() + idField.slice(1);
	const recordPath = `${path}/{${idParameter}}`;
	const paging = pagingByRecordId(idField, ...otherIds);
	return { nouns, path, recordPath, idParameter, idField, paging };
}

const CHECK_INS = ['check-in', 'check-ins'] as const;
const TRANSACTIONS = ['transaction', 'transactions'] as const;

/** Paths, paging and ID fields of the lists. */
export const lists = {
	events: list(['event', 'events'], '/events', 'EventId'),
	sessions: list(['session', 'sessions'], '/events/{eventId}/sessions', 'SessionId'),
	registrations: list(
		['registration', 'registrations'],
		'/events/{eventId}/registrations',
		'RegistrationId',
	),
	// Some providers name the IDs of registration types like those of option groups.
	registrationTypes: list(
		['registration type', 'registration types'],
		'/events/{eventId}/registrationtypes',
		'RegistrationTypeId',
		'RegistrationOptionGroupId',
	),
	optionGroups: list(
		['option group', 'option groups'],
		'/events/{eventId}/registrationoptiongroups',
		'RegistrationOptionGroupId',
	),
	options: list(
		['option', 'options'],
		'/events/{eventId}/registrationoptiongroups/{groupId}',
		'RegistrationOptionId',
	),
	attendance: list(CHECK_INS, '/events/{eventId}/attendance', 'CheckInLogId'),
	sessionAttendance: list(CHECK_INS, '/events/{eventId}/attendance/{sessionId}', 'CheckInLogId'),
	/** Orders and transactions of one event, whose ID is the body of the request. */
	orders: list(['order', 'orders'], '/orders/search', 'OrderId'),
	eventTransactions: list(TRANSACTIONS, '/transactions/search', 'TransactionId'),
	transactions: list(TRANSACTIONS, '/transactions', 'TransactionId'),
	contactLists: list(['contact list', 'contact lists'], '/contactlists', 'ContactListId'),
	contacts: list(['contact', 'contacts'], '/contactlists/{contactListId}/contacts', 'ContactId'),
};

import { fetchView, runAction } from './api.js';
import { toApiInput, createRegistrationFields, formatDisplayName } from './forms.js';
import { openRegistration } from './guest.js';

const service = 'eventRegistration';

const toEvent = (event) => ({
	id: event.EventId,
	name: event.Name,
	start: event.StartDate,
	end: event.EndDate,
	people: event.RegistrationCount,
	values: event,
});

/** Leaves an empty time zone unchanged. */
const toEventInput = ({ TimeZoneOffset, ...values }) => ({
	...values,
	TimeZoneOffset: TimeZoneOffset || undefined,
});

/** The desk's adapter for the event registration service. */
export const eventRegistrationAdapter = {
	service,
	hasContacts: true,
	hasSessionCheckIn: true,
	checkOutLabel: 'Check Out',

	events: async () => (await fetchView(service, 'events')).map(toEvent),
	event: async (eventId) => {
		const response = await fetchView(service, 'event', { eventId });
		const sessions = response.sessions.map((session) => ({
			id: session.SessionId,
			title: session.Title,
			start: session.StartDateTime,
			end: session.EndDateTime,
			note: `${session.came} came, ${session.inside} inside`,
			values: session,
		}));
		return { ...response, ...toEvent(response.event), sessions };
	},
	people: async (eventId, { search, checkInPlace }) => {
		const response = await fetchView(service, 'people', {
			eventId,
			search,
			...(checkInPlace && { sessionId: checkInPlace }),
		});
		const rows = response.people.map((person) => ({
			kind: 'person',
			id: person.RegistrationId,
			name: formatDisplayName(person),
			email: person.Email,
			note: person.type,
			status: person.RegistrationStatus,
			visit: person.visit,
		}));
		return { ...response, rows };
	},
	toggleCheckIn: (event, person, checkInPlace) =>
		runAction(service, person.visit && !person.visit.out ? 'checkOut' : 'checkIn', {
			eventId: event.id,
			registrationId: person.id,
			...(checkInPlace && { sessionId: Number(checkInPlace) }),
		}),

	newRegistration: (event) => ({
		fields: [
			...createRegistrationFields(event),
			{ name: 'SendEmails', label: 'Send a confirmation email', type: 'checkbox' },
		],
		values: { RegistrationTypeId: event.types[0]?.id },
		submit: async ({ RegistrationTypeId, SendEmails, ...values }) => {
			const input = toApiInput(event.form, values);
			const created = await runAction(service, 'register', {
				eventId: event.id,
				...input,
				// An empty value means that the question was not answered.
				CustomFields: input.CustomFields.filter(({ Value }) => Value !== ''),
				RegistrationTypeId,
				SendEmails,
			});
			return formatDisplayName(created);
		},
	}),
	openPerson: openRegistration,

	eventFields: [
		{ name: 'Name', label: 'Name', required: true },
		{ name: 'StartDate', label: 'Starts', type: 'datetime-local', required: true },
		{ name: 'EndDate', label: 'Ends', type: 'datetime-local', required: true },
		{ name: 'TimeZoneOffset', label: 'Time zone, such as +02:00' },
	],
	addEvent: async (values) => toEvent(await runAction(service, 'addEvent', toEventInput(values))),
	changeEvent: (eventId, values) =>
		runAction(service, 'changeEvent', { eventId, ...toEventInput(values) }),

	sessionFields: [
		{ name: 'Title', label: 'Title', required: true },
		{ name: 'StartDateTime', label: 'Starts', type: 'datetime-local', required: true },
		{ name: 'EndDateTime', label: 'Ends', type: 'datetime-local', required: true },
	],
	addSession: (eventId, values) => runAction(service, 'addSession', { eventId, ...values }),
	changeSession: (eventId, sessionId, values) =>
		runAction(service, 'changeSession', { eventId, sessionId, ...values }),
	removeSession: (eventId, sessionId) =>
		runAction(service, 'removeSession', { eventId, sessionId }),
};

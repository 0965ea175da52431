import { act, view } from './api.js';
import { formInput, guestFields, nameOf } from './forms.js';
import { openGuest } from './guest.js';

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
const eventInput = ({ TimeZoneOffset, ...values }) => ({
	...values,
	TimeZoneOffset: TimeZoneOffset || undefined,
});

/** The desk's adapter for the event registration service. */
export const registration = {
	service,
	hasContacts: true,
	hasDoors: true,
	door: { out: 'Check Out' },

	events: async () => (await view(service, 'events')).map(toEvent),
	event: async (eventId) => {
		const loaded = await view(service, 'event', { eventId });
		const sessions = loaded.sessions.map((session) => ({
			id: session.SessionId,
			title: session.Title,
			start: session.StartDateTime,
			end: session.EndDateTime,
			note: `${session.came} came, ${session.inside} inside`,
			values: session,
		}));
		return { ...loaded, ...toEvent(loaded.event), sessions };
	},
	people: async (eventId, { search, door }) => {
		const loaded = await view(service, 'people', {
			eventId,
			search,
			...(door && { sessionId: door }),
		});
		const rows = loaded.people.map((person) => ({
			kind: 'person',
			id: person.RegistrationId,
			name: nameOf(person),
			email: person.Email,
			note: person.type,
			status: person.RegistrationStatus,
			visit: person.visit,
		}));
		return { ...loaded, rows };
	},
	toggleCheckIn: (event, person, door) =>
		act(service, person.visit && !person.visit.out ? 'checkOut' : 'checkIn', {
			eventId: event.id,
			registrationId: person.id,
			...(door && { sessionId: Number(door) }),
		}),

	newGuest: (event) => ({
		fields: [
			...guestFields(event),
			{ name: 'SendEmails', label: 'Send a confirmation email', type: 'checkbox' },
		],
		values: { RegistrationTypeId: event.types[0]?.id },
		submit: async ({ RegistrationTypeId, SendEmails, ...values }) => {
			const input = formInput(event.form, values);
			const made = await act(service, 'register', {
				eventId: event.id,
				...input,
				// An empty value means that the question was not answered.
				CustomFields: input.CustomFields.filter(({ Value }) => Value !== ''),
				RegistrationTypeId,
				SendEmails,
			});
			return nameOf(made);
		},
	}),
	openPerson: openGuest,

	eventFields: [
		{ name: 'Name', label: 'Name', required: true },
		{ name: 'StartDate', label: 'Starts', type: 'datetime-local', required: true },
		{ name: 'EndDate', label: 'Ends', type: 'datetime-local', required: true },
		{ name: 'TimeZoneOffset', label: 'Time zone, such as +02:00' },
	],
	addEvent: async (values) => toEvent(await act(service, 'addEvent', eventInput(values))),
	changeEvent: (eventId, values) => act(service, 'changeEvent', { eventId, ...eventInput(values) }),

	sessionFields: [
		{ name: 'Title', label: 'Title', required: true },
		{ name: 'StartDateTime', label: 'Starts', type: 'datetime-local', required: true },
		{ name: 'EndDateTime', label: 'Ends', type: 'datetime-local', required: true },
	],
	addSession: (eventId, values) => act(service, 'addSession', { eventId, ...values }),
	changeSession: (eventId, sessionId, values) =>
		act(service, 'changeSession', { eventId, sessionId, ...values }),
	removeSession: (eventId, sessionId) => act(service, 'removeSession', { eventId, sessionId }),
};

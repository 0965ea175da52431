import { fetchView, runAction } from './api.js';
import { attendeeFields, openAttendee } from './attendee.js';

const service = 'eventData';

const toEvent = (event) => ({
	id: event.id,
	name: event.name,
	start: event.startDate,
	end: event.endDate,
	people: event.attendeeCount,
	values: event,
});

const capacityField = { name: 'capacity', label: 'Capacity', type: 'number', isNumber: true };

/** The desk's adapter for the event data service. */
export const eventDataAdapter = {
	service,
	hasContacts: false,
	hasSessionCheckIn: false,
	checkOutLabel: 'Undo',

	events: async () => (await fetchView(service, 'events')).map(toEvent),
	event: async (eventId) => {
		const response = await fetchView(service, 'event', { eventId });
		const sessions = response.sessions.map((session) => ({
			id: session.id,
			title: session.title,
			start: session.startTime,
			end: session.endTime,
			note: [session.speaker, session.location].filter(Boolean).join(' · '),
			values: session,
		}));
		return { ...response, ...toEvent(response.event), sessions };
	},
	people: async (eventId, { search }) => {
		const response = await fetchView(service, 'people', { eventId, search });
		const rows = response.people.map((person) => ({
			kind: 'person',
			id: person.id,
			name: `${person.firstName} ${person.lastName}`,
			email: person.email,
			note: person.company,
			status: person.status,
			visit: person.checkInTime && { in: person.checkInTime, out: null },
		}));
		return { ...response, rows };
	},
	toggleCheckIn: (_event, person) =>
		runAction(service, person.visit ? 'undoCheckIn' : 'checkIn', { attendeeId: person.id }),

	newRegistration: (event) => ({
		fields: attendeeFields,
		values: {},
		submit: async (values) => {
			const { attendee } = await runAction(service, 'register', { eventId: event.id, ...values });
			return `${attendee.firstName} ${attendee.lastName}`;
		},
	}),
	openPerson: openAttendee,

	eventFields: [
		{ name: 'name', label: 'Name', required: true },
		{ name: 'startDate', label: 'Starts', type: 'datetime-local', required: true },
		{ name: 'endDate', label: 'Ends', type: 'datetime-local', required: true },
		{ name: 'location', label: 'Location' },
		capacityField,
		{ name: 'description', label: 'Description', type: 'textarea' },
	],
	addEvent: async (values) => toEvent(await runAction(service, 'addEvent', values)),
	changeEvent: (eventId, values) => runAction(service, 'changeEvent', { eventId, ...values }),

	sessionFields: [
		{ name: 'title', label: 'Title', required: true },
		{ name: 'startTime', label: 'Starts', type: 'datetime-local', required: true },
		{ name: 'endTime', label: 'Ends', type: 'datetime-local', required: true },
		{ name: 'speaker', label: 'Speaker' },
		{ name: 'location', label: 'Room' },
		capacityField,
		{ name: 'description', label: 'Description', type: 'textarea' },
	],
	addSession: (eventId, values) => runAction(service, 'addSession', { eventId, ...values }),
	changeSession: (_eventId, sessionId, values) =>
		runAction(service, 'changeSession', { sessionId, ...values }),
};

import { act, view } from './api.js';
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

const capacity = { name: 'capacity', label: 'Capacity', type: 'number', number: true };

/** The desk's adapter for the event data service. */
export const data = {
	service,
	hasContacts: false,
	hasDoors: false,
	door: { out: 'Undo' },

	events: async () => (await view(service, 'events')).map(toEvent),
	event: async (eventId) => {
		const loaded = await view(service, 'event', { eventId });
		const sessions = loaded.sessions.map((session) => ({
			id: session.id,
			title: session.title,
			start: session.startTime,
			end: session.endTime,
			note: [session.speaker, session.location].filter(Boolean).join(' · '),
			values: session,
		}));
		return { ...loaded, ...toEvent(loaded.event), sessions };
	},
	people: async (eventId, { search }) => {
		const loaded = await view(service, 'people', { eventId, search });
		const rows = loaded.people.map((person) => ({
			kind: 'person',
			id: person.id,
			name: `${person.firstName} ${person.lastName}`,
			email: person.email,
			note: person.company,
			status: person.status,
			visit: person.checkInTime && { in: person.checkInTime, out: null },
		}));
		return { ...loaded, rows };
	},
	toggleCheckIn: (_event, person) =>
		act(service, person.visit ? 'undoCheckIn' : 'checkIn', { attendeeId: person.id }),

	newGuest: (event) => ({
		fields: attendeeFields,
		values: {},
		submit: async (values) => {
			const { attendee } = await act(service, 'register', { eventId: event.id, ...values });
			return `${attendee.firstName} ${attendee.lastName}`;
		},
	}),
	openPerson: openAttendee,

	eventFields: [
		{ name: 'name', label: 'Name', required: true },
		{ name: 'startDate', label: 'Starts', type: 'datetime-local', required: true },
		{ name: 'endDate', label: 'Ends', type: 'datetime-local', required: true },
		{ name: 'location', label: 'Location' },
		capacity,
		{ name: 'description', label: 'Description', type: 'textarea' },
	],
	addEvent: async (values) => toEvent(await act(service, 'addEvent', values)),
	changeEvent: (eventId, values) => act(service, 'changeEvent', { eventId, ...values }),

	sessionFields: [
		{ name: 'title', label: 'Title', required: true },
		{ name: 'startTime', label: 'Starts', type: 'datetime-local', required: true },
		{ name: 'endTime', label: 'Ends', type: 'datetime-local', required: true },
		{ name: 'speaker', label: 'Speaker' },
		{ name: 'location', label: 'Room' },
		capacity,
		{ name: 'description', label: 'Description', type: 'textarea' },
	],
	addSession: (eventId, values) => act(service, 'addSession', { eventId, ...values }),
	changeSession: (_eventId, sessionId, values) =>
		act(service, 'changeSession', { sessionId, ...values }),
};

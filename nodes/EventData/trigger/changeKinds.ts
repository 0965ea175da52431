import { createChangeKinds } from '../../engine/trigger/lists/createChangeKinds';

/** Options of Trigger On: the changes that can start a workflow. */
export const changeKinds = createChangeKinds<'attendees' | 'events' | 'registrations' | 'sessions'>(
	{
		attendeeCheckedIn: {
			list: 'attendees',
			change: 'checkedIn',
			name: 'Attendee Checked In',
			action: 'On attendee checked in',
			description: 'When someone checks in to the event',
		},
		attendeeCreated: {
			list: 'attendees',
			change: 'created',
			name: 'Attendee Created',
			action: 'On attendee created',
			description: 'When someone is added to the event',
		},
		attendeeStatusChanged: {
			list: 'attendees',
			change: 'statusChanged',
			name: 'Attendee Status Changed',
			action: 'On attendee status changed',
			description: 'When someone is confirmed or canceled, for example',
		},
		attendeeUpdated: {
			list: 'attendees',
			change: 'updated',
			name: 'Attendee Updated',
			action: 'On attendee updated',
			description: 'When anything else about an attendee changes',
		},
		eventCreated: {
			list: 'events',
			change: 'created',
			name: 'Event Created',
			action: 'On event created',
			description: 'When an event is created. Requires All Events.',
		},
		eventUpdated: {
			list: 'events',
			change: 'updated',
			name: 'Event Updated',
			action: 'On event updated',
			description: 'When an event changes, apart from its number of attendees',
		},
		registrationCreated: {
			list: 'registrations',
			change: 'created',
			name: 'Registration Created',
			action: 'On registration created',
			description: 'When an attendee is registered for the event',
		},
		registrationStatusChanged: {
			list: 'registrations',
			change: 'statusChanged',
			name: 'Registration Status Changed',
			action: 'On registration status changed',
			description: 'When a registration is confirmed or canceled, for example',
		},
		sessionCreated: {
			list: 'sessions',
			change: 'created',
			name: 'Session Created',
			action: 'On session created',
			description: "When a session is added to the event's schedule",
		},
		sessionUpdated: {
			list: 'sessions',
			change: 'updated',
			name: 'Session Updated',
			action: 'On session updated',
			description: 'When the time, the room or anything else about a session changes',
		},
	},
);

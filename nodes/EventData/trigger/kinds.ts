import type { INodePropertyOptions } from 'n8n-workflow';

/** What can start a workflow. */
export const kinds: INodePropertyOptions[] = [
	{
		name: 'Attendee Checked In',
		value: 'attendeeCheckedIn',
		action: 'On attendee checked in',
		description: 'When someone checks in to the event',
	},
	{
		name: 'Attendee Created',
		value: 'attendeeCreated',
		action: 'On attendee created',
		description: 'When someone is added to the event',
	},
	{
		name: 'Attendee Status Changed',
		value: 'attendeeStatusChanged',
		action: 'On attendee status changed',
		description: 'When someone is confirmed or canceled, for example',
	},
	{
		name: 'Attendee Updated',
		value: 'attendeeUpdated',
		action: 'On attendee updated',
		description: 'When anything else about an attendee changes',
	},
	{
		name: 'Event Created',
		value: 'eventCreated',
		action: 'On event created',
		description: 'When an event is created. Requires All Events.',
	},
	{
		name: 'Event Updated',
		value: 'eventUpdated',
		action: 'On event updated',
		description: 'When an event changes, apart from its number of attendees',
	},
	{
		name: 'Registration Created',
		value: 'registrationCreated',
		action: 'On registration created',
		description: 'When an attendee is registered for the event',
	},
	{
		name: 'Registration Status Changed',
		value: 'registrationStatusChanged',
		action: 'On registration status changed',
		description: 'When a registration is confirmed or canceled, for example',
	},
	{
		name: 'Session Created',
		value: 'sessionCreated',
		action: 'On session created',
		description: "When a session is added to the event's schedule",
	},
	{
		name: 'Session Updated',
		value: 'sessionUpdated',
		action: 'On session updated',
		description: 'When the time, the room or anything else about a session changes',
	},
];

/** Those of attendees. */
export const KINDS_OF_ATTENDEES = [
	'attendeeCheckedIn',
	'attendeeCreated',
	'attendeeStatusChanged',
	'attendeeUpdated',
];

/** Those of registrations. */
export const KINDS_OF_REGISTRATIONS = ['registrationCreated', 'registrationStatusChanged'];

/** Those of sessions. */
export const KINDS_OF_SESSIONS = ['sessionCreated', 'sessionUpdated'];

/** Those of events themselves. */
export const KINDS_OF_EVENTS = ['eventCreated', 'eventUpdated'];

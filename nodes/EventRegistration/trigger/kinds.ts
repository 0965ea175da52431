import type { INodePropertyOptions } from 'n8n-workflow';

/** What can start a workflow. */
export const kinds: INodePropertyOptions[] = [
	{
		name: 'Checked In to Event',
		value: 'checkedIn',
		action: 'On check-in to an event',
		description: 'When someone checks in to the event',
	},
	{
		name: 'Checked In to Session',
		value: 'checkedInToSession',
		action: 'On check-in to a session',
		description: 'When someone checks in to one session of the event',
	},
	{
		name: 'Checked Out of Event',
		value: 'checkedOut',
		action: 'On check-out of an event',
		description: 'When someone who had checked in leaves the event',
	},
	{
		name: 'Contact Added',
		value: 'contactAdded',
		action: 'On contact added',
		description: 'When someone is added to a contact list',
	},
	{
		name: 'Contact Updated',
		value: 'contactUpdated',
		action: 'On contact updated',
		description: 'When a contact in a list changes',
	},
	{
		name: 'Event Updated',
		value: 'eventUpdated',
		action: 'On event updated',
		description: 'When an event changes, apart from its number of registrations',
	},
	{
		name: 'Order Placed',
		value: 'orderPlaced',
		action: 'On order placed',
		description: 'When someone places an order for the event',
	},
	{
		name: 'Registration Created',
		value: 'registrationCreated',
		action: 'On registration created',
		description: 'When someone registers for the event',
	},
	{
		name: 'Registration Updated',
		value: 'registrationUpdated',
		action: 'On registration updated',
		description: 'When a registration changes or is canceled',
	},
	{
		name: 'Transaction Recorded',
		value: 'transactionRecorded',
		action: 'On transaction recorded',
		description: 'When a payment or a refund for the event is recorded',
	},
];

/** Those that happen within an event. */
export const KINDS_OF_EVENTS = [
	'checkedIn',
	'checkedInToSession',
	'checkedOut',
	'eventUpdated',
	'orderPlaced',
	'registrationCreated',
	'registrationUpdated',
	'transactionRecorded',
];

/** Those that happen within a contact list. */
export const KINDS_OF_CONTACTS = ['contactAdded', 'contactUpdated'];

/** Those of registrations. */
export const KINDS_OF_REGISTRATIONS = ['registrationCreated', 'registrationUpdated'];

import { createChangeKinds } from '../../engine/trigger/lists/createChangeKinds';

/** The lists that belong to one event. */
export const LISTS_IN_EVENT = [
	'attendance',
	'orders',
	'registrations',
	'sessionAttendance',
	'transactions',
] as const;

/** Options of Trigger On: the changes that can start a workflow. */
export const changeKinds = createChangeKinds<
	(typeof LISTS_IN_EVENT)[number] | 'contacts' | 'events'
>({
	checkedIn: {
		list: 'attendance',
		change: 'checkedIn',
		name: 'Checked In to Event',
		action: 'On check-in to an event',
		description: 'When someone checks in to the event',
	},
	checkedInToSession: {
		list: 'sessionAttendance',
		change: 'checkedIn',
		name: 'Checked In to Session',
		action: 'On check-in to a session',
		description: 'When someone checks in to one session of the event',
	},
	checkedOut: {
		list: 'attendance',
		change: 'checkedOut',
		name: 'Checked Out of Event',
		action: 'On check-out of an event',
		description: 'When someone who had checked in leaves the event',
	},
	contactAdded: {
		list: 'contacts',
		change: 'added',
		name: 'Contact Added',
		action: 'On contact added',
		description: 'When someone is added to a contact list',
	},
	contactUpdated: {
		list: 'contacts',
		change: 'updated',
		name: 'Contact Updated',
		action: 'On contact updated',
		description: 'When a contact in a list changes',
	},
	eventUpdated: {
		list: 'events',
		change: 'updated',
		name: 'Event Updated',
		action: 'On event updated',
		description: 'When an event changes, apart from its number of registrations',
	},
	orderPlaced: {
		list: 'orders',
		change: 'placed',
		name: 'Order Placed',
		action: 'On order placed',
		description: 'When someone places an order for the event',
	},
	registrationCreated: {
		list: 'registrations',
		change: 'created',
		name: 'Registration Created',
		action: 'On registration created',
		description: 'When someone registers for the event',
	},
	registrationUpdated: {
		list: 'registrations',
		change: 'updated',
		name: 'Registration Updated',
		action: 'On registration updated',
		description: 'When a registration changes or is canceled',
	},
	transactionRecorded: {
		list: 'transactions',
		change: 'recorded',
		name: 'Transaction Recorded',
		action: 'On transaction recorded',
		description: 'When a payment or a refund for the event is recorded',
	},
});

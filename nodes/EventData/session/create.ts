import type { Operation } from '../../engine/operation';
import { eventId, inBody } from '../fields';
import { details, endTime, startTime, title } from './details';

/** Puts a new session into the schedule of an event. */
export const create: Operation = {
	name: 'Create',
	action: 'Create a session',
	description: 'Add a session to the schedule of an event',
	request: { method: 'POST', path: '/sessions' },
	fields: [
		inBody(eventId),
		{ ...title, required: true },
		{ ...startTime, required: true },
		{ ...endTime, required: true },
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			description: 'Further details of the session',
			options: details,
		},
	],
};

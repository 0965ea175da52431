import { collection } from '../../engine/field';
import { operation } from '../../engine/operation';
import { eventId, inBody } from '../fields';
import { recordWithId } from '../paging';
import { capacity, description, endTime, location, speaker, startTime, title } from './details';
import { orderFields } from './fieldOrder';

export const create = operation({
	name: 'Create',
	action: 'Create a session',
	description: "Add a session to an event's schedule",
	request: 'POST /sessions',
	fields: {
		eventId: inBody(eventId),
		title,
		startTime,
		endTime,
		additionalFields: collection({
			displayName: 'Additional Fields',
			name: 'additionalFields',
			placeholder: 'Add Field',
			options: [capacity, description, location, speaker],
		}),
	},
	effect: 'the session was created',
	...recordWithId,
	transformRecord: orderFields,
});

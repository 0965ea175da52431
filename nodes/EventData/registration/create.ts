import { operation } from '../../engine/operation';
import { attendeeId, eventId, inBody } from '../fields';
import { recordWithId } from '../paging';
import { orderFields } from './fieldOrder';

export const create = operation({
	name: 'Create',
	action: 'Create a registration',
	description: 'Register an attendee for an event',
	request: 'POST /registrations',
	fields: { eventId: inBody(eventId), attendeeId: inBody(attendeeId) },
	effect: 'the registration was created',
	...recordWithId,
	transformRecord: orderFields,
});

import { inOrder } from '../../engine/run/output';

/** The order of fields in which Get gives one; a service answers to a write in whatever order. */
export const order = inOrder(
	'id',
	'eventId',
	'firstName',
	'lastName',
	'email',
	'company',
	'status',
	'checkInTime',
	'createdAt',
);

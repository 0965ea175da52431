import { fieldsFirst } from '../../engine/run/output';

/** Puts the fields in the order of Get: a response to a write may have them in any other order. */
export const orderFields = fieldsFirst(
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

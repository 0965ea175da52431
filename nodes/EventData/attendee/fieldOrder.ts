import { fieldsFirst } from '../../engine/run/output';

/** Puts the fields in the order of Get: responses to writes may have any other. */
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

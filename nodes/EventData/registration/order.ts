import { inOrder } from '../../engine/run/output';

/** Puts the fields in the order of Get: responses to writes may have any other. */
export const order = inOrder(
	'id',
	'eventId',
	'attendeeId',
	'status',
	'registrationDate',
	'createdAt',
);

import { inOrder } from '../../engine/run/output';

/** Puts the fields in the order of Get: a response to a write may have them in any other order. */
export const order = inOrder(
	'id',
	'eventId',
	'attendeeId',
	'status',
	'registrationDate',
	'createdAt',
);

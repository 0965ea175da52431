import { inOrder } from '../../engine/run/output';

/** Puts the fields in the order of Get: responses to writes may have any other. */
export const order = inOrder(
	'id',
	'eventId',
	'title',
	'description',
	'speaker',
	'startTime',
	'endTime',
	'location',
	'capacity',
	'createdAt',
);

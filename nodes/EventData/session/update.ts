import { operation } from '../../engine/operation';
import { asChange, asReferenceChange, changes, eventId, sessionId } from '../fields';
import { mergeUpdate, updateMethod } from '../mergeUpdate';
import { recordWithId } from '../paging';
import {
	capacity,
	description,
	endTime,
	location,
	rejectEndBeforeStart,
	speaker,
	startTime,
	title,
} from './details';
import { orderFields } from './fieldOrder';

export const update = operation({
	name: 'Update',
	action: 'Update a session',
	description: 'Update a session',
	request: 'PUT /sessions/{sessionId}',
	fields: {
		sessionId,
		changes: changes([
			capacity,
			description,
			asChange(endTime),
			asReferenceChange(eventId),
			location,
			speaker,
			asChange(startTime),
			asChange(title),
		]),
	},
	options: { verb: updateMethod },
	idempotent: true,
	...mergeUpdate(
		sessionId,
		{
			required: ['eventId', 'title', 'startTime', 'endTime'],
			optional: ['description', 'speaker', 'location', 'capacity'],
		},
		({ startTime: start, endTime: end }, { context }) =>
			rejectEndBeforeStart(start, end, context.getTimezone()),
	),
	...recordWithId,
	transformRecord: orderFields,
});

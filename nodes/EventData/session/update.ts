import type { Operation } from '../../engine/operation';
import { changes, eventId, optional, sessionId } from '../fields';
import { mayOverwrite, update as save, verb } from '../update';
import { details, endTime, startTime, title } from './details';

const [capacity, description, location, speaker] = details;

/** Changes some fields of a session. */
export const update: Operation = {
	name: 'Update',
	action: 'Update a session',
	description: `Change some details of a session. ${mayOverwrite}`,
	request: { method: 'PUT', path: '/sessions/{sessionId}' },
	fields: [
		sessionId,
		changes([
			capacity!,
			description!,
			endTime,
			optional(eventId, 'body'),
			location!,
			speaker!,
			startTime,
			title,
		]),
	],
	options: [verb],
	repeatable: true,
	run: save([
		'eventId',
		'title',
		'startTime',
		'endTime',
		'description',
		'speaker',
		'location',
		'capacity',
	]),
};

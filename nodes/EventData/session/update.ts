import { operation } from '../../engine/operation';
import { asChange, changes, eventId, sessionId } from '../fields';
import { mayOverwrite, update as save, verb } from '../update';
import { capacity, description, endTime, location, speaker, startTime, title } from './details';

/** Changes some fields of a session. */
export const update = operation({
	name: 'Update',
	action: 'Update a session',
	description: `Change some details of a session. ${mayOverwrite}`,
	request: 'PUT /sessions/{sessionId}',
	fields: {
		sessionId,
		changes: changes([
			capacity,
			description,
			asChange(endTime),
			asChange(eventId),
			location,
			speaker,
			asChange(startTime),
			asChange(title),
		]),
	},
	options: { verb },
	repeatable: true,
	run: save(sessionId, [
		'eventId',
		'title',
		'startTime',
		'endTime',
		'description',
		'speaker',
		'location',
		'capacity',
	]),
});

import { operation } from '../../engine/operation';
import { asChange, attendeeId, changes, eventId, registrationId } from '../fields';
import { mayOverwrite, update as save, verb } from '../update';
import { status } from './status';

/** Changes some fields of a registration. */
export const update = operation({
	name: 'Update',
	action: 'Update a registration',
	description: `Change a registration, for example its status. ${mayOverwrite}`,
	request: 'PUT /registrations/{registrationId}',
	fields: {
		registrationId,
		changes: changes([
			asChange(attendeeId),
			asChange(eventId),
			status('body', 'Where the registration stands'),
		]),
	},
	options: { verb },
	repeatable: true,
	run: save(registrationId, ['status', 'eventId', 'attendeeId']),
});

import type { Operation } from '../../engine/operation';
import { eventId, registrationId } from '../fields';
import { registrationForm } from '../form/forms';
import { clearBlank, formKeys } from '../form/inputs';
import { registrationShape } from '../records';
import { saveChanges } from '../form/save';
import { additional, changes, registrationTypeToSet } from './fields';

/** Changes a registration. */
export const update: Operation = {
	name: 'Update',
	action: 'Update a registration',
	description: 'Change some details of a registration. Everything else stays as it is.',
	request: { method: 'PATCH', path: '/api/v1/events/{eventId}/registrations/{registrationId}' },
	fields: [
		eventId,
		registrationId,
		{
			...registrationTypeToSet,
			description: 'Another kind of registration. Leave it open to keep the present one.',
		},
		changes,
		additional,
	],
	options: [clearBlank, formKeys],
	effect: 'the registration was changed',
	run: saveChanges(registrationForm, { RegistrationId: 'registrationId', EventId: 'eventId' }),
	yields: registrationShape.yields,
};

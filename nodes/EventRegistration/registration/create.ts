import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { registrationForm } from '../form/formDefinitions';
import { formKeys } from '../form/inputs';
import { registrationShape } from '../records';
import { saveNew } from '../write/saveForm';
import { additionalFields, details, registrationTypeToSet } from './fields';

export const create = operation({
	name: 'Create',
	action: 'Create a registration',
	description: 'Register a person for an event',
	request: 'POST /api/v1/events/{eventId}/registrations',
	fields: {
		eventId,
		registrationTypeId: registrationTypeToSet,
		details,
		additionalFields,
	},
	options: { formKeys },
	effect: 'the person was registered',
	run: async (values, call) => await saveNew(registrationForm, 'RegistrationId', values, call),
	...registrationShape,
});

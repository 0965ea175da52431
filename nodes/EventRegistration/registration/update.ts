import { operation } from '../../engine/operation';
import { eventId, registrationId } from '../fields';
import { registrationForm } from '../form/formDefinitions';
import { clearBlank, formKeys } from '../form/inputs';
import { EMPTY_TYPE_ROWS, typeModes } from '../optionalTypes';
import { registrationShape, writeOutput } from '../records';
import { sendChanges } from '../write/saveForm';
import { additionalFields, updateFields, registrationTypeToSet } from './fields';

export const update = operation({
	name: 'Update',
	action: 'Update a registration',
	description: 'Update a registration',
	request: 'PATCH /api/v1/events/{eventId}/registrations/{registrationId}',
	fields: {
		eventId,
		registrationId,
		registrationTypeId: {
			...registrationTypeToSet,
			description: 'For example attendee or speaker',
			modes: typeModes(EMPTY_TYPE_ROWS.toUpdate),
		},
		details: updateFields,
		additionalFields,
	},
	options: { clearBlank, formKeys },
	effect: 'the registration was changed',
	run: async (values, call) => {
		const { registrationId: RegistrationId, eventId: EventId } = values;
		const { response, body } = await sendChanges(registrationForm, values, call);
		return writeOutput(response, 'RegistrationId', { RegistrationId, EventId, ...body });
	},
	...registrationShape,
});

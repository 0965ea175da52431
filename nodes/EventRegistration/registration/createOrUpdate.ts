import { operation } from '../../engine/operation';
import { createOrUpdate as save, emailToMatch, twoCalls } from '../createOrUpdate';
import type { Upsert } from '../createOrUpdate';
import { eventId } from '../fields';
import { registrationForm } from '../form/forms';
import { clearBlank, formKeys } from '../form/inputs';
import { additionalFields, details, registrationTypeToSet } from './fields';

const registrations: Upsert<'eventId'> = {
	form: registrationForm,
	words: ['registration', 'registrations'],
	id: 'RegistrationId',
	path: '/api/v1/events/{eventId}/registrations',
};

/** Changes the registration with an address, or registers the person. */
export const createOrUpdate = operation({
	name: 'Create or Update',
	action: 'Create or update a registration',
	description: `Change the registration that has an email address, or register the person if there is none. ${twoCalls}`,
	fields: {
		eventId,
		email: emailToMatch,
		registrationTypeId: registrationTypeToSet,
		details,
		additionalFields,
	},
	options: { clearBlank, formKeys },
	once: 'the registration was added or changed',
	run: async (values, call) => {
		const { registrationTypeId, additionalFields: more } = values;
		return await save(registrations, values, call, {
			RegistrationTypeId: registrationTypeId,
			RegistrationManagerEmail: more?.managerEmail,
			SendEmails: more?.sendEmails,
		});
	},
	yields: {
		created: 'boolean',
		success: 'boolean',
		EventId: 'string',
		RegistrationId: 'integer',
		FirstName: 'string',
		LastName: 'string',
		Email: 'string',
		CustomFields: 'object',
	},
});

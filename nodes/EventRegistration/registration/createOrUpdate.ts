import type { Operation } from '../../engine/operation';
import { createOrUpdate as save, emailToMatch, twoCalls } from '../createOrUpdate';
import { eventId } from '../fields';
import { registrationForm } from '../form/forms';
import { clearBlank, formKeys } from '../form/inputs';
import { additional, details, registrationTypeToSet } from './fields';

/** Changes the registration with an address, or registers the person. */
export const createOrUpdate: Operation = {
	name: 'Create or Update',
	action: 'Create or update a registration',
	description: `Change the registration that has an email address, or register the person if there is none. ${twoCalls}`,
	fields: [eventId, emailToMatch, registrationTypeToSet, details, additional],
	options: [clearBlank, formKeys],
	together: save({
		form: registrationForm,
		words: ['registration', 'registrations'],
		id: 'RegistrationId',
		path: '/api/v1/events/{eventId}/registrations',
		within: { eventId: 'EventId' },
	}),
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
};

import type { Operation } from '../../engine/operation';
import { eventId } from '../fields';
import { registrationForm } from '../form/forms';
import { formKeys } from '../form/inputs';
import { registrationShape } from '../records';
import { saveNew } from '../form/save';
import { additional, details, registrationTypeToSet } from './fields';

/** Registers a person for an event. */
export const create: Operation = {
	name: 'Create',
	action: 'Create a registration',
	description: 'Register a person for an event',
	request: { method: 'POST', path: '/api/v1/events/{eventId}/registrations' },
	fields: [eventId, registrationTypeToSet, details, additional],
	options: [formKeys],
	effect: 'the person was registered',
	run: saveNew(registrationForm, 'RegistrationId'),
	yields: registrationShape.yields,
};

import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { registrationForm } from '../form/formDefinitions';
import { clearBlank, formKeys } from '../form/inputs';
import { upsertShape, registrationShape } from '../records';
import { emailToMatch, emailLockKey, RERUN_SAFETY, upsert } from '../upsert';
import type { UpsertableKind } from '../upsert';
import { additionalFields, details, registrationTypeToSet } from './fields';

const registrations: UpsertableKind<'eventId'> = {
	form: registrationForm,
	nouns: ['registration', 'registrations'],
	id: 'RegistrationId',
	path: '/api/v1/events/{eventId}/registrations',
};

export const createOrUpdate = operation({
	name: 'Create or Update',
	action: 'Create or update a registration',
	description: 'Create a new registration, or update the current one if it already exists',
	fields: {
		eventId,
		email: emailToMatch,
		registrationTypeId: registrationTypeToSet,
		details,
		additionalFields,
	},
	options: { clearBlank, formKeys },
	effect: 'the registration was added or changed',
	rerunSafety: `${RERUN_SAFETY} With 'Send Emails' on, they get another email.`,
	writesConcurrently: true,
	lockKey: (values, call) => emailLockKey(registrations, values, call),
	run: async (values, call) => {
		const { registrationTypeId, additionalFields: extraFields } = values;
		return await upsert(registrations, values, call, {
			RegistrationTypeId: registrationTypeId,
			RegistrationManagerEmail: extraFields?.managerEmail,
			SendEmails: extraFields?.sendEmails,
		});
	},
	...upsertShape(registrationShape),
});

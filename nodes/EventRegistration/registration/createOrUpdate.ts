import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { registrationForm } from '../form/formDefinitions';
import { clearBlank, formKeys } from '../form/inputs';
import { lists } from '../lists';
import { upsertShape, registrationShape } from '../records';
import { emailToMatch, emailLockKey, RERUN_SAFETY, upsert } from '../write/upsert';
import type { UpsertableKind } from '../write/upsert';
import { additionalFields, details, registrationTypeToSet } from './fields';

const registrationKind: UpsertableKind<'eventId'> = {
	...lists.registrations,
	form: registrationForm,
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
	lockKey: (values, call) => emailLockKey(registrationKind, values, call),
	// `upsert` builds both requests itself, so the targets of these fields have no effect here.
	run: async (values, call) => {
		const { registrationTypeId, additionalFields } = values;
		return await upsert(registrationKind, values, call, {
			RegistrationTypeId: registrationTypeId,
			RegistrationManagerEmail: additionalFields?.managerEmail,
			SendEmails: additionalFields?.sendEmails,
		});
	},
	...upsertShape(registrationShape),
});

import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { contactForm } from '../form/formDefinitions';
import { clearBlank, formKeys } from '../form/inputs';
import { lists } from '../lists';
import { contactShape, upsertShape } from '../records';
import { emailToMatch, emailLockKey, RERUN_SAFETY, upsert } from '../write/upsert';
import type { UpsertableKind } from '../write/upsert';
import { details } from './fields';
import { withSharedListLock } from './listLock';

const contactKind: UpsertableKind<'contactListId'> = {
	...lists.contacts,
	form: contactForm,
	isAddedAsArray: true,
};

export const createOrUpdate = operation({
	name: 'Create or Update',
	action: 'Create or update a contact',
	description: 'Create a new contact, or update the current one if it already exists (upsert)',
	// `buildFormBody` reads the resource mapper `details` itself, because the mapper's columns depend on the form of the
	// list.
	fields: { contactListId, email: emailToMatch, details },
	options: { clearBlank, formKeys },
	effect: 'the contact was added or changed',
	rerunSafety: RERUN_SAFETY,
	writesConcurrently: true,
	lockKey: (values, call) => emailLockKey(contactKind, values, call),
	// Lock order: the email key (`lockKey`, exclusive), then the list (shared). Sync locks only the list, so the two
	// operations cannot deadlock.
	run: async (values, call) =>
		await withSharedListLock(
			call,
			values.contactListId,
			async () => await upsert(contactKind, values, call),
		),
	...upsertShape(contactShape),
});

import { operation } from '../../engine/operation';
import { createOrUpdate as save, emailToMatch, twoCalls } from '../createOrUpdate';
import type { Upsert } from '../createOrUpdate';
import { contactListId } from '../fields';
import { contactForm } from '../form/forms';
import { clearBlank, formKeys } from '../form/inputs';
import { details } from './fields';

const contacts: Upsert<'contactListId'> = {
	form: contactForm,
	words: ['contact', 'contacts'],
	id: 'ContactId',
	path: '/api/v1/contactlists/{contactListId}/contacts',
	addedInList: true,
};

/** Changes the contact with an address, or adds one. */
export const createOrUpdate = operation({
	name: 'Create or Update',
	action: 'Create or update a contact',
	description: `Change the contact that has an email address, or add one if the list has none. ${twoCalls}`,
	fields: { contactListId, email: emailToMatch, details },
	options: { clearBlank, formKeys },
	once: 'the contact was added or changed',
	run: async (values, call) => await save(contacts, values, call),
	yields: {
		created: 'boolean',
		success: 'boolean',
		ContactListId: 'string',
		ContactId: 'integer',
		FirstName: 'string',
		LastName: 'string',
		Email: 'string',
		CustomFields: 'object',
	},
});

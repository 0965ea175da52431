import type { Operation } from '../../engine/operation';
import { createOrUpdate as save, emailToMatch, twoCalls } from '../createOrUpdate';
import { contactListId } from '../fields';
import { contactForm } from '../form/forms';
import { clearBlank, formKeys } from '../form/inputs';
import { details } from './fields';

/** Changes the contact with an address, or adds one. */
export const createOrUpdate: Operation = {
	name: 'Create or Update',
	action: 'Create or update a contact',
	description: `Change the contact that has an email address, or add one if the list has none. ${twoCalls}`,
	fields: [contactListId, emailToMatch, details],
	options: [clearBlank, formKeys],
	together: save({
		form: contactForm,
		words: ['contact', 'contacts'],
		id: 'ContactId',
		path: '/api/v1/contactlists/{contactListId}/contacts',
		within: { contactListId: 'ContactListId' },
		addedInList: true,
	}),
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
};

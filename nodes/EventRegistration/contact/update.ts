import type { Operation } from '../../engine/operation';
import { contactId, contactListId } from '../fields';
import { contactForm } from '../form/forms';
import { clearBlank, formKeys } from '../form/inputs';
import { contactShape } from '../records';
import { saveChanges } from '../form/save';
import { changes } from './fields';

/** Changes a contact. */
export const update: Operation = {
	name: 'Update',
	action: 'Update a contact',
	description: 'Change some details of a contact. Everything else stays as it is.',
	request: { method: 'PATCH', path: '/api/v1/contactlists/{contactListId}/contacts/{contactId}' },
	fields: [contactListId, contactId, changes],
	options: [clearBlank, formKeys],
	effect: 'the contact was changed',
	run: saveChanges(contactForm, { ContactId: 'contactId', ContactListId: 'contactListId' }),
	yields: contactShape.yields,
};

import { operation } from '../../engine/operation';
import { contactId, contactListId } from '../fields';
import { contactForm } from '../form/formDefinitions';
import { clearBlank, formKeys } from '../form/inputs';
import { contactShape, writeOutput } from '../records';
import { sendChanges } from '../write/saveForm';
import { updateFields } from './fields';

export const update = operation({
	name: 'Update',
	action: 'Update a contact',
	description: 'Update a contact',
	request: 'PATCH /api/v1/contactlists/{contactListId}/contacts/{contactId}',
	fields: { contactListId, contactId, details: updateFields },
	options: { clearBlank, formKeys },
	effect: 'the contact was changed',
	run: async (values, call) => {
		const { contactId: ContactId, contactListId: ContactListId } = values;
		const { response, body } = await sendChanges(contactForm, values, call);
		return writeOutput(response, 'ContactId', { ContactId, ContactListId, ...body });
	},
	...contactShape,
});

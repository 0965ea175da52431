import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { formKeys } from '../form/inputs';
import { formOutput } from '../form/output';

export const getForm = operation({
	name: 'Get Form',
	action: 'Get the contact form',
	description: "List the fields of a contact list's form",
	request: 'GET /api/v1/contactlists/{contactListId}/contacts/contactform',
	fields: { contactListId },
	options: { formKeys },
	idempotent: true,
	...formOutput,
});

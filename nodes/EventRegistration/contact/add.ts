import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { formKeys } from '../form/inputs';
import { addTogether, contactsPerRequest, findRefused } from './addTogether';
import { details } from './fields';

/** Adds the contacts of all input items to a list, many at a time. */
export const add = operation({
	name: 'Add',
	action: 'Add contacts to a list',
	description:
		'Add people to a contact list. All input items are sent together, many in one request; those that the service refuses fail alone.',
	request: 'POST /api/v1/contactlists/{contactListId}/contacts',
	fields: { contactListId, details },
	options: { contactsPerRequest, findRefused, formKeys },
	once: 'these contacts were added',
	together: addTogether,
	yields: {
		success: 'boolean',
		ContactListId: 'string',
		FirstName: 'string',
		LastName: 'string',
		Email: 'string',
		CustomFields: 'object',
	},
});

import { operation } from '../../engine/operation';
import { contactId, contactListId } from '../fields';
import { contactShape } from '../records';

export const get = operation({
	name: 'Get',
	action: 'Get a contact',
	description: 'Get a contact of a list',
	request: 'GET /api/v1/contactlists/{contactListId}/contacts/{contactId}',
	fields: { contactListId, contactId },
	idempotent: true,
	...contactShape,
});

import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { lists } from '../lists';
import { contactShape } from '../records';
import { contactCriteria } from '../search';

export const search = operation({
	name: 'Search',
	action: 'Search contacts',
	description: 'Find contacts by email, any other form field or time of change',
	request: 'POST /api/v1/contactlists/{contactListId}/contacts/search',
	body: 'json',
	fields: { contactListId, ...contactCriteria },
	idempotent: true,
	readOnly: true,
	paging: lists.contacts.paging,
	...contactShape,
});

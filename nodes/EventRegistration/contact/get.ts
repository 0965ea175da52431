import type { Operation } from '../../engine/operation';
import { contactId, contactListId } from '../fields';
import { contactShape } from '../records';

/** Reads one contact. */
export const get: Operation = {
	name: 'Get',
	action: 'Get a contact',
	description: 'Look up one contact of a list',
	request: { method: 'GET', path: '/api/v1/contactlists/{contactListId}/contacts/{contactId}' },
	fields: [contactListId, contactId],
	repeatable: true,
	...contactShape,
};

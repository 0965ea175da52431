import { operation } from '../../engine/operation';
import { contactListId } from '../fields';

/** Reads one contact list. */
export const get = operation({
	name: 'Get',
	action: 'Get a contact list',
	description: 'Look up one contact list: its name, and how many contacts it has',
	request: 'GET /api/v1/contactlists/{contactListId}',
	fields: { contactListId },
	repeatable: true,
});

import type { Operation } from '../../engine/operation';
import { contactListId } from '../fields';

/** Reads one contact list. */
export const get: Operation = {
	name: 'Get',
	action: 'Get a contact list',
	description: 'Look up one contact list: its name, and how many contacts it has',
	request: { method: 'GET', path: '/api/v1/contactlists/{contactListId}' },
	fields: [contactListId],
	repeatable: true,
};

import { formInputs } from '../form/inputs';

/** The details of a new contact. */
export const details = formInputs({
	displayName: 'Contact Details',
	description: 'What to save about the person: the fields of your contact form',
	method: 'getContactForm',
	owner: 'contactListId',
});

/** The details of a contact that change. */
export const changes = formInputs({
	displayName: 'Changes',
	description: 'What to change. Everything else stays as it is.',
	method: 'getContactForm',
	owner: 'contactListId',
	onlyAdded: true,
});

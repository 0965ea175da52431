import { formInputs } from '../form/inputs';

export const details = formInputs({
	displayName: 'Contact Details',
	description: "Fields of the list's contact form",
	method: 'getContactForm',
	owner: 'contactListId',
});

export const updateFields = formInputs({
	displayName: 'Update Fields',
	description: 'Other fields keep their values',
	method: 'getContactForm',
	owner: 'contactListId',
	startsEmpty: true,
});

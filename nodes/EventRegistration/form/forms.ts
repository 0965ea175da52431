import { boolean, idNumber } from '../../engine/values/convert';
import type { FormField, RecordProperties } from './form';

/** A form of the service: where it is read, and what a record has besides the form's own fields. */
export interface Form<Owner extends string = string> {
	path: string;
	/** The field of the node that says whose form it is, what people call it, and what the service calls its ID. */
	owner: { field: Owner; label: string; id: string };
	properties: RecordProperties;
	/** The properties that every record has, for forms that do not name them. */
	standard: FormField[];
	/** What the service demands of a new record, although a form need not say so. */
	requiredOnCreate: readonly string[];
}

const field = (name: string, caption: string): FormField => ({ name, caption });

const personFields: FormField[] = [
	field('FirstName', 'First Name'),
	field('LastName', 'Last Name'),
	field('Email', 'Email'),
];

/** The registration form of an event. */
export const registrationForm: Form<'eventId'> = {
	path: '/api/v1/events/{eventId}/registrations/registrationform',
	owner: { field: 'eventId', label: 'Event', id: 'EventId' },
	properties: {
		FirstName: 'text',
		LastName: 'text',
		Email: 'email',
		MobilePhone: 'text',
		RegistrationTypeId: idNumber('Registration Type'),
		RegistrationManagerEmail: 'email',
		SendEmails: boolean('Send Emails'),
	},
	standard: [...personFields, field('MobilePhone', 'Mobile Phone')],
	requiredOnCreate: personFields.map(({ name }) => name),
};

/** The form of the contacts of a list. */
export const contactForm: Form<'contactListId'> = {
	path: '/api/v1/contactlists/{contactListId}/contacts/contactform',
	owner: { field: 'contactListId', label: 'Contact List', id: 'ContactListId' },
	properties: {
		FirstName: 'text',
		LastName: 'text',
		Email: 'email',
		Phone: 'text',
		Organization: 'text',
		Title: 'text',
	},
	standard: [
		...personFields,
		field('Phone', 'Phone'),
		field('Organization', 'Organization'),
		field('Title', 'Job Title'),
	],
	requiredOnCreate: [],
};

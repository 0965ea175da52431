import { booleanReader, idNumberReader } from '../../engine/values/convert';
import type { RecordProperties } from './mappedValues';
import type { FormField } from './readForm';

/** A form of the service, and the properties that its records have besides the form's own fields. */
export interface FormDefinition<Owner extends string = string> {
	path: string;
	/** The event or contact list that has the form: its parameter, its label, and the field of the service with its ID. */
	owner: { parameter: Owner; label: string; idField: string };
	properties: RecordProperties;
	/** The properties that every record has, for forms that do not list them. */
	standardFields: FormField[];
	/** Fields that the service requires in a new record, although a form may not mark them as required. */
	requiredOnCreate: readonly string[];
}

const formField = (name: string, caption: string): FormField => ({ name, caption });

const personFields: FormField[] = [
	formField('FirstName', 'First Name'),
	formField('LastName', 'Last Name'),
	formField('Email', 'Email'),
];

export const registrationForm: FormDefinition<'eventId'> = {
	path: '/api/v1/events/{eventId}/registrations/registrationform',
	owner: { parameter: 'eventId', label: 'Event', idField: 'EventId' },
	properties: {
		FirstName: 'text',
		LastName: 'text',
		Email: 'email',
		MobilePhone: 'text',
		RegistrationTypeId: idNumberReader('Registration Type'),
		RegistrationManagerEmail: 'email',
		SendEmails: booleanReader('Send Emails'),
	},
	standardFields: [...personFields, formField('MobilePhone', 'Mobile Phone')],
	requiredOnCreate: personFields.map(({ name }) => name),
};

export const contactForm: FormDefinition<'contactListId'> = {
	path: '/api/v1/contactlists/{contactListId}/contacts/contactform',
	owner: { parameter: 'contactListId', label: 'Contact List', idField: 'ContactListId' },
	properties: {
		FirstName: 'text',
		LastName: 'text',
		Email: 'email',
		Phone: 'text',
		Organization: 'text',
		Title: 'text',
	},
	standardFields: [
		...personFields,
		formField('Phone', 'Phone'),
		formField('Organization', 'Organization'),
		formField('Title', 'Job Title'),
	],
	requiredOnCreate: [],
};

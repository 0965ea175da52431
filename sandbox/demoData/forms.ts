/** One field of a registration or contact form. */
export interface FormField {
	/** Internal name: a property of the record, or the name of a custom field. */
	name: string;
	caption: string;
	type:
		| 'text'
		| 'email'
		| 'phone'
		| 'select'
		| 'textarea'
		| 'number'
		| 'yes/no'
		| 'date'
		| 'datetime'
		| 'multiselect';
	required: boolean;
	options?: string[];
	/** Whether the value is sent in CustomFields instead of in its own property. */
	custom: boolean;
}

const field = (
	name: string,
	caption: string,
	more: Partial<Omit<FormField, 'name' | 'caption'>> = {},
): FormField => ({ name, caption, type: 'text', required: false, custom: true, ...more });

/** Choices of the dietary question. */
export const diets = ['None', 'Vegetarian', 'Vegan', 'Halal', 'Kosher', 'Gluten-free'];
/** Choices of the T-shirt question. */
export const shirtSizes = ['XS', 'S', 'M', 'L', 'XL', 'XXL'];
/** Choices of the industry question. */
export const industries = [
	'Software',
	'Education',
	'Health Care',
	'Manufacturing',
	'Public Sector',
	'Retail & Trade',
	'Media',
];
/** Choices of the lead source question. */
export const leadSources = ['Website', 'Trade fair', 'Referral', 'Webinar', 'Imported'];

/** Choices of the topics question, of which a person may choose several. */
const topics = ['Accessibility', 'Data', 'Health, Safety', 'Security', 'Teaching'];

/**
 * Returns the registration form of an event by its index in the agenda. Every form asks for a name and an email address;
 * every third form also requires company and country.
 */
export function registrationForm(eventIndex: number): FormField[] {
	const demanding = eventIndex % 3 === 2;
	const form = [
		field('FirstName', 'First name', { required: true, custom: false }),
		field('LastName', 'Last name', { required: true, custom: false }),
		field('Email', 'Email address', { type: 'email', required: true, custom: false }),
		field('MobilePhone', 'Mobile phone', { type: 'phone', custom: false }),
		field('Company', 'Company or organization', { required: demanding }),
		field('JobTitle', 'Job title'),
		field('Country', 'Country of residence', { required: demanding }),
		field('Diet', 'Dietary needs', { type: 'select', options: diets }),
	];
	if (eventIndex % 2 === 0) {
		form.push(field('ShirtSize', 'T-shirt size', { type: 'select', options: shirtSizes }));
	}
	if (eventIndex % 4 === 1) {
		form.push(field('AccessNeeds', 'Anything we should prepare for you?', { type: 'textarea' }));
	}
	return form;
}

/** Returns the contact form, the same for every list. */
export function contactForm(): FormField[] {
	return [
		field('FirstName', 'First name', { custom: false }),
		field('LastName', 'Last name', { custom: false }),
		field('Email', 'Email address', { type: 'email', required: true, custom: false }),
		field('Phone', 'Phone', { type: 'phone', custom: false }),
		field('Organization', 'Organization', { custom: false }),
		field('Title', 'Job title', { custom: false }),
		field('Industry', 'Industry', { type: 'select', options: industries }),
		field('Country', 'Country'),
		field('LeadSource', 'Where we met', { type: 'select', options: leadSources }),
		field('MemberNumber', 'Member number'),
		field('Employees', 'Number of employees', { type: 'number' }),
		field('Newsletter', 'Wants the newsletter', { type: 'yes/no' }),
		field('MemberSince', 'Member since', { type: 'date' }),
		field('LastCall', 'Last call', { type: 'datetime' }),
		field('Topics', 'Topics of interest', { type: 'multiselect', options: topics }),
	];
}

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

const createField = (
	name: string,
	caption: string,
	overrides: Partial<Omit<FormField, 'name' | 'caption'>> = {},
): FormField => ({ name, caption, type: 'text', required: false, custom: true, ...overrides });

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
export function createRegistrationForm(eventIndex: number): FormField[] {
	const requiresCompanyAndCountry = eventIndex % 3 === 2;
	const form = [
		createField('FirstName', 'First name', { required: true, custom: false }),
		createField('LastName', 'Last name', { required: true, custom: false }),
		createField('Email', 'Email address', { type: 'email', required: true, custom: false }),
		createField('MobilePhone', 'Mobile phone', { type: 'phone', custom: false }),
		createField('Company', 'Company or organization', { required: requiresCompanyAndCountry }),
		createField('JobTitle', 'Job title'),
		createField('Country', 'Country of residence', { required: requiresCompanyAndCountry }),
		createField('Diet', 'Dietary needs', { type: 'select', options: diets }),
	];
	if (eventIndex % 2 === 0) {
		form.push(createField('ShirtSize', 'T-shirt size', { type: 'select', options: shirtSizes }));
	}
	if (eventIndex % 4 === 1) {
		form.push(
			createField('AccessNeeds', 'Anything we should prepare for you?', { type: 'textarea' }),
		);
	}
	return form;
}

/** Returns the contact form, the same for every list. */
export function createContactForm(): FormField[] {
	return [
		createField('FirstName', 'First name', { custom: false }),
		createField('LastName', 'Last name', { custom: false }),
		createField('Email', 'Email address', { type: 'email', required: true, custom: false }),
		createField('Phone', 'Phone', { type: 'phone', custom: false }),
		createField('Organization', 'Organization', { custom: false }),
		createField('Title', 'Job title', { custom: false }),
		createField('Industry', 'Industry', { type: 'select', options: industries }),
		createField('Country', 'Country'),
		createField('LeadSource', 'Where we met', { type: 'select', options: leadSources }),
		createField('MemberNumber', 'Member number'),
		createField('Employees', 'Number of employees', { type: 'number' }),
		createField('Newsletter', 'Wants the newsletter', { type: 'yes/no' }),
		createField('MemberSince', 'Member since', { type: 'date' }),
		createField('LastCall', 'Last call', { type: 'datetime' }),
		createField('Topics', 'Topics of interest', { type: 'multiselect', options: topics }),
	];
}

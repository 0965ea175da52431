/** One field of a registration or contact form. */
export interface FormField {
	/** The internal name: a property of the record, or the name of a custom field. */
	name: string;
	caption: string;
	type: 'text' | 'email' | 'phone' | 'select' | 'textarea';
	required: boolean;
	options?: string[];
	/** Whether the value travels in CustomFields instead of in a property of its own. */
	custom: boolean;
}

const field = (
	name: string,
	caption: string,
	more: Partial<Omit<FormField, 'name' | 'caption'>> = {},
): FormField => ({ name, caption, type: 'text', required: false, custom: true, ...more });

/** What the dietary question can be answered with. */
export const diets = ['None', 'Vegetarian', 'Vegan', 'Halal', 'Kosher', 'Gluten-free'];
/** What the T-shirt question can be answered with. */
export const shirtSizes = ['XS', 'S', 'M', 'L', 'XL', 'XXL'];
/** What the industry question can be answered with. */
export const industries = [
	'Software',
	'Education',
	'Health Care',
	'Manufacturing',
	'Public Sector',
	'Retail & Trade',
	'Media',
];
/** What the question where we met can be answered with. */
export const leadSources = ['Website', 'Trade fair', 'Referral', 'Webinar', 'Imported'];

/**
 * The registration form of an event, by the event's place in the agenda. Every form asks for a name
 * and an email address; every third one also demands company and country.
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

/** The contact form, the same for every list. */
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
	];
}

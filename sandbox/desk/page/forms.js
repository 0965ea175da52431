/** Returns the name of a form field as the API's error messages have it. */
const keyOf = ({ name, custom }) => (custom ? `CustomFields.${name}` : name);
const inputTypes = { email: 'email', phone: 'tel', textarea: 'textarea' };

/** Converts a form of the service into fields of a form on the page. */
export const formFields = (form) =>
	form.map((field) => ({
		name: keyOf(field),
		label: field.caption,
		type: inputTypes[field.type],
		required: field.required,
		options: field.options,
	}));

/** Returns the values of a record by the names of those fields. */
export function formValues(form, record) {
	const custom = new Map((record.CustomFields ?? []).map(({ Name, Value }) => [Name, Value]));
	return Object.fromEntries(
		form.map((field) => [keyOf(field), field.custom ? custom.get(field.name) : record[field.name]]),
	);
}

/** Converts form values into the API's input. Fields that were never filled in are omitted from a new record. */
export function formInput(form, values) {
	const input = { CustomFields: [] };
	for (const field of form) {
		const value = values[keyOf(field)];
		if (field.custom) input.CustomFields.push({ Name: field.name, Value: value });
		else input[field.name] = value;
	}
	return input;
}

export const nameOf = ({ FirstName, LastName, Email }) =>
	[FirstName, LastName].filter(Boolean).join(' ') || Email || 'A guest';

/** Returns the fields of a registration: the event's form and the registration type. */
export const guestFields = ({ form, types }) => [
	...formFields(form),
	{
		name: 'RegistrationTypeId',
		label: 'Registration type',
		required: true,
		number: true,
		options: types.map(({ id, name }) => ({ value: id, label: name })),
	},
];

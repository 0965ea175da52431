/** Returns the name of a form field as the API's error messages have it. */
const getFieldName = ({ name, custom }) => (custom ? `CustomFields.${name}` : name);
const inputTypes = { email: 'email', phone: 'tel', textarea: 'textarea' };

/** Converts a form of the service into fields of a form on the page. */
export const toFormFields = (form) =>
	form.map((field) => ({
		name: getFieldName(field),
		label: field.caption,
		type: inputTypes[field.type],
		required: field.required,
		options: field.options,
	}));

/** Returns the values of a record by the names of those fields. */
export function toFormValues(form, record) {
	const customValues = new Map((record.CustomFields ?? []).map(({ Name, Value }) => [Name, Value]));
	return Object.fromEntries(
		form.map((field) => [
			getFieldName(field),
			field.custom ? customValues.get(field.name) : record[field.name],
		]),
	);
}

/** Converts form values into the API's input. Fields that were never filled in are omitted from a new record. */
export function toApiInput(form, values) {
	const input = { CustomFields: [] };
	for (const field of form) {
		const value = values[getFieldName(field)];
		if (field.custom) input.CustomFields.push({ Name: field.name, Value: value });
		else input[field.name] = value;
	}
	return input;
}

export const formatDisplayName = ({ FirstName, LastName, Email }) =>
	[FirstName, LastName].filter(Boolean).join(' ') || Email || 'A guest';

/** Returns the fields of a registration: the event's form and the registration type. */
export const createRegistrationFields = ({ form, types }) => [
	...toFormFields(form),
	{
		name: 'RegistrationTypeId',
		label: 'Registration type',
		required: true,
		isNumber: true,
		options: types.map(({ id, name }) => ({ value: id, label: name })),
	},
];

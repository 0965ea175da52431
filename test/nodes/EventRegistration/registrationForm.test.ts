import fc from 'fast-check';

import {
	contactForm,
	registrationForm,
} from '../../../nodes/EventRegistration/form/formDefinitions';
import {
	autoMap,
	serializeFormValues,
	missingCaptions,
} from '../../../nodes/EventRegistration/form/mappedValues';
import { readForm } from '../../../nodes/EventRegistration/form/readForm';
import type { FormField } from '../../../nodes/EventRegistration/form/readForm';
import { forms, nasty, word } from './formSamples';

const namesAndTexts = (fields: FormField[]) =>
	fields.map(({ name, caption: text }) => ({ name, text }));
const textsByName = (fields: FormField[]) =>
	new Map(namesAndTexts(fields).map(({ name, text }) => [name, text]));

describe('reading a form', () => {
	it('a map in either direction returns the same fields', () => {
		fc.assert(
			fc.property(forms, (form) => {
				const captionFirst = Object.fromEntries(form.map((field) => [field.caption, field.name]));
				const nameFirst = Object.fromEntries(form.map((field) => [field.name, field.caption]));
				expect(textsByName(readForm(captionFirst))).toEqual(textsByName(form));
				expect(textsByName(readForm(nameFirst))).toEqual(textsByName(form));
			}),
		);
	});

	it('a richer schema returns its details, from an array and from an object', () => {
		fc.assert(
			fc.property(forms, (form) => {
				expect(readForm(form)).toEqual(form);
				const keyed = Object.fromEntries(
					form.map(({ name, ...field }) => [name, { ...field, name: undefined }]),
				);
				const found = new Map(readForm(keyed).map((field) => [field.name, field]));
				expect(found).toEqual(new Map(form.map((field) => [field.name, field])));
			}),
		);
	});

	it('upper-case names, wrapped lists and choices are read', () => {
		const Fields = [
			{
				Name: 'Diet',
				Caption: 'Dietary needs',
				Type: 'select',
				Required: 'true',
				Options: ['A', 7],
			},
			{ Name: 'Size', Options: [{ Value: 's', Name: 'Small' }, { Name: 'Large' }] },
		];
		expect(readForm({ Fields })).toEqual([
			{
				name: 'Diet',
				caption: 'Dietary needs',
				type: 'select',
				required: true,
				options: ['A', '7'],
			},
			{ name: 'Size', caption: 'Size', options: ['s', 'Large'] },
		]);
	});

	it('the form does not say whether a field is required if the service does not', () => {
		const silent = [
			{ Email: 'Email address' },
			{ 'Email address': 'Email' },
			[{ name: 'Email', required: null }],
			['Email'],
			{ Email: { caption: 'Email address' } },
		];
		for (const form of silent) expect(readForm(form)[0]).not.toHaveProperty('required');
		expect(readForm([{ name: 'Email', required: false }])[0]).toHaveProperty('required', false);
		expect(readForm([{ name: 'Email', required: 'no' }])[0]).toHaveProperty('required', false);
	});

	it("the user's setting takes precedence over detection", () => {
		const body = { FirstName: 'Given', LastName: 'Family', Email: 'Mail' };
		expect(readForm(body).map(({ name }) => name)).toEqual(['FirstName', 'LastName', 'Email']);
		expect(readForm(body, 'captions').map(({ name }) => name)).toEqual(['Given', 'Family', 'Mail']);
	});

	it('the side without spaces is taken as names if neither has a usual name', () => {
		const expected = [{ name: 'ShirtSize', caption: 'Your T-shirt size' }];
		expect(readForm({ ShirtSize: 'Your T-shirt size' })).toEqual(expected);
		expect(readForm({ 'Your T-shirt size': 'ShirtSize' })).toEqual(expected);
	});

	it('reading never throws, and returns every name once and none that is blank', () => {
		fc.assert(
			fc.property(fc.oneof(fc.jsonValue(), fc.constant(undefined)), (body) => {
				const names = readForm(body).map(({ name }) => name);
				expect(new Set(names).size).toBe(names.length);
				expect(names).not.toContain('');
			}),
		);
	});
});

describe('mapping an item automatically', () => {
	it('only fields of the form are used', () => {
		fc.assert(
			fc.property(forms, fc.dictionary(fc.string(), fc.jsonValue()), (form, other) => {
				const formValues = Object.fromEntries(form.map(({ name }) => [name, `value of ${name}`]));
				const values = autoMap({ ...other, ...formValues }, form);
				const named = form.filter(({ name }) => name !== 'CustomFields');
				for (const { name } of named) expect(values.get(name)).toBe(formValues[name]);
				expect([...values.keys()].every((name) => form.some((field) => field.name === name))).toBe(
					true,
				);
			}),
		);
	});

	it('the name takes precedence over the caption, and both over similar names', () => {
		const form = [{ name: 'FirstName', caption: 'Given name', required: false }];
		const mapFirstName = (item: object) => autoMap(item as never, form).get('FirstName');
		expect(mapFirstName({ 'first name': 'c', 'Given name': 'b', FirstName: 'a' })).toBe('a');
		expect(mapFirstName({ 'first name': 'c', 'Given name': 'b' })).toBe('b');
		expect(mapFirstName({ first_name: 'c' })).toBe('c');
		expect(mapFirstName({ 'GIVEN NAME': 'd' })).toBe('d');
		expect(mapFirstName({ name: 'e' })).toBeUndefined();
	});

	it('values are found in custom fields, as the service lists them and as Simplify outputs them', () => {
		const form = [{ name: 'Company', caption: 'Company', required: false }];
		const list = { CustomFields: [{ Name: 'Company', Value: 'Tarnvale' }] };
		expect(autoMap(list, form).get('Company')).toBe('Tarnvale');
		expect(autoMap({ CustomFields: { Company: 'Tarnvale' } }, form).get('Company')).toBe(
			'Tarnvale',
		);
	});
});

describe('the body of a write', () => {
	const { properties } = registrationForm;
	const serializeBody = (values: object, clearsBlank = false) =>
		serializeFormValues(new Map(Object.entries(values)), properties, clearsBlank);

	it('has standard fields at the top level and the others as custom fields', () => {
		const formValues = {
			Email: ' a@b.example ',
			MobilePhone: 4670555,
			RegistrationTypeId: '2013',
			SendEmails: 'true',
			Diet: 'Vegan',
		};
		expect(serializeBody(formValues)).toEqual({
			Email: 'a@b.example',
			MobilePhone: '4670555',
			RegistrationTypeId: 2013,
			SendEmails: true,
			CustomFields: [{ Name: 'Diet', Value: 'Vegan' }],
		});
	});

	it('loses no value and invents none, for any names', () => {
		const names = fc.oneof(nasty, word, fc.constantFrom(...Object.keys(contactForm.properties)));
		const values = fc.array(
			fc.tuple(
				names,
				fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
			),
		);
		fc.assert(
			fc.property(values, (pairs) => {
				const formValues = new Map(pairs);
				const { CustomFields = [], ...standardFields } = serializeFormValues(
					formValues,
					contactForm.properties,
					false,
				);
				const sent = [
					...Object.entries(standardFields),
					...(CustomFields as Array<{ Name: string; Value: string }>).map(({ Name, Value }) => [
						Name,
						Value,
					]),
				];
				const expected = [...formValues].map(([name, value]) => [
					name,
					name === 'Email' ? value.trim() : value,
				]);
				expect(new Map(sent as never)).toEqual(new Map(expected as never));
				expect(Object.keys(standardFields).every((name) => name in contactForm.properties)).toBe(
					true,
				);
			}),
		);
	});

	it('omits blank values, or clears fields with them if that is set', () => {
		const blankValues = {
			FirstName: '',
			LastName: null,
			Diet: ' ',
			Company: undefined,
			RegistrationTypeId: '',
		};
		expect(serializeBody(blankValues)).toEqual({});
		expect(serializeBody(blankValues, true)).toEqual({
			FirstName: '',
			CustomFields: [{ Name: 'Diet', Value: '' }],
		});
	});

	it('contains lists, booleans and dates as strings', () => {
		const given = { A: ['x', 'y'], B: false, C: new Date(0), D: 0, E: { f: 1 } };
		expect(serializeBody(given).CustomFields).toEqual([
			{ Name: 'A', Value: 'x, y' },
			{ Name: 'B', Value: 'false' },
			{ Name: 'C', Value: '1970-01-01T00:00:00.000Z' },
			{ Name: 'D', Value: '0' },
			{ Name: 'E', Value: '{"f":1}' },
		]);
	});

	it('exactly the required fields that are blank are reported', () => {
		fc.assert(
			fc.property(
				forms,
				fc.infiniteStream(fc.constantFrom('', ' ', 'x', null, undefined, false, 0)),
				(form, stream) => {
					const values = new Map(form.map(({ name }) => [name, stream.next().value as unknown]));
					const isBlank = (value: unknown) =>
						value === null || value === undefined || `${value as string}`.trim() === '';
					expect(missingCaptions(values, form)).toEqual(
						form
							.filter(({ name, required }) => required && isBlank(values.get(name)))
							.map((field) => field.caption),
					);
				},
			),
		);
	});
});

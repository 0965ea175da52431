// Protects the fields of a form: they are read in every format of the service, and no value is lost or invented in a write.
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
import { anyForm, anyUnusualName, anySimpleName } from './formArbitraries';

const mapCaptionsByName = (fields: FormField[]) =>
	new Map(fields.map(({ name, caption }) => [name, caption]));

describe('reading a form', () => {
	it('a map from captions to names and a map from names to captions return the same fields', () => {
		fc.assert(
			fc.property(anyForm, (form) => {
				const namesByCaption = Object.fromEntries(form.map((field) => [field.caption, field.name]));
				const captionsByName = Object.fromEntries(form.map((field) => [field.name, field.caption]));
				expect(mapCaptionsByName(readForm(namesByCaption))).toEqual(mapCaptionsByName(form));
				expect(mapCaptionsByName(readForm(captionsByName))).toEqual(mapCaptionsByName(form));
			}),
		);
	});

	it('a schema in an array or an object returns all details of its fields', () => {
		fc.assert(
			fc.property(anyForm, (form) => {
				expect(readForm(form)).toEqual(form);
				const fieldsByName = Object.fromEntries(
					form.map(({ name, ...field }) => [name, { ...field, name: undefined }]),
				);
				const readFields = new Map(readForm(fieldsByName).map((field) => [field.name, field]));
				expect(readFields).toEqual(new Map(form.map((field) => [field.name, field])));
			}),
		);
	});

	it('capitalized property names, wrapped lists and choices are read', () => {
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

	it('a field has no `required` if the service does not say whether it is required', () => {
		const formsWithoutRequired = [
			{ Email: 'Email address' },
			{ 'Email address': 'Email' },
			[{ name: 'Email', required: null }],
			['Email'],
			{ Email: { caption: 'Email address' } },
		];
		for (const form of formsWithoutRequired)
			expect(readForm(form)[0]).not.toHaveProperty('required');
		expect(readForm([{ name: 'Email', required: false }])[0]).toHaveProperty('required', false);
		expect(readForm([{ name: 'Email', required: 'no' }])[0]).toHaveProperty('required', false);
	});

	it("the user's setting takes precedence over the detection of names and captions", () => {
		const body = { FirstName: 'Given', LastName: 'Family', Email: 'Mail' };
		expect(readForm(body).map(({ name }) => name)).toEqual(['FirstName', 'LastName', 'Email']);
		expect(readForm(body, 'captions').map(({ name }) => name)).toEqual(['Given', 'Family', 'Mail']);
	});

	it('the side of a map without spaces is read as names if neither side has a standard name', () => {
		const expected = [{ name: 'ShirtSize', caption: 'Your T-shirt size' }];
		expect(readForm({ ShirtSize: 'Your T-shirt size' })).toEqual(expected);
		expect(readForm({ 'Your T-shirt size': 'ShirtSize' })).toEqual(expected);
	});

	it('any response is read without an exception, and returns each name once and no blank name', () => {
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
			fc.property(anyForm, fc.dictionary(fc.string(), fc.jsonValue()), (form, otherValues) => {
				const formValues = Object.fromEntries(form.map(({ name }) => [name, `value of ${name}`]));
				const values = autoMap({ ...otherValues, ...formValues }, form);
				const namedFields = form.filter(({ name }) => name !== 'CustomFields');
				for (const { name } of namedFields) expect(values.get(name)).toBe(formValues[name]);
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
		const names = fc.oneof(
			anyUnusualName,
			anySimpleName,
			fc.constantFrom(...Object.keys(contactForm.properties)),
		);
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

	it('omits blank values, or sends them to clear fields if this is requested', () => {
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
		const formValues = { A: ['x', 'y'], B: false, C: new Date(0), D: 0, E: { f: 1 } };
		expect(serializeBody(formValues).CustomFields).toEqual([
			{ Name: 'A', Value: 'x, y' },
			{ Name: 'B', Value: 'false' },
			{ Name: 'C', Value: '1970-01-01T00:00:00.000Z' },
			{ Name: 'D', Value: '0' },
			{ Name: 'E', Value: '{"f":1}' },
		]);
	});

	it('has missing captions for exactly the required fields that are blank', () => {
		fc.assert(
			fc.property(
				anyForm,
				fc.infiniteStream(fc.constantFrom('', ' ', 'x', null, undefined, false, 0)),
				(form, drawnValues) => {
					const values = new Map(
						form.map(({ name }) => [name, drawnValues.next().value as unknown]),
					);
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

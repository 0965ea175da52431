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

const bare = (fields: FormField[]) => fields.map(({ name, caption: text }) => ({ name, text }));
const byName = (fields: FormField[]) => new Map(bare(fields).map(({ name, text }) => [name, text]));

describe('reading a form', () => {
	it('returns the same fields from a map in either direction', () => {
		fc.assert(
			fc.property(forms, (form) => {
				const captionFirst = Object.fromEntries(form.map((field) => [field.caption, field.name]));
				const nameFirst = Object.fromEntries(form.map((field) => [field.name, field.caption]));
				expect(byName(readForm(captionFirst))).toEqual(byName(form));
				expect(byName(readForm(nameFirst))).toEqual(byName(form));
			}),
		);
	});

	it('returns the details of a richer schema, from an array and from an object', () => {
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

	it('reads upper-case names, wrapped lists and choices', () => {
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

	it('leaves open whether a field is required if the service does not say', () => {
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

	it("prefers the user's setting to its own detection", () => {
		const body = { FirstName: 'Given', LastName: 'Family', Email: 'Mail' };
		expect(readForm(body).map(({ name }) => name)).toEqual(['FirstName', 'LastName', 'Email']);
		expect(readForm(body, 'captions').map(({ name }) => name)).toEqual(['Given', 'Family', 'Mail']);
	});

	it('takes the side without spaces as names if neither has a usual name', () => {
		const expected = [{ name: 'ShirtSize', caption: 'Your T-shirt size' }];
		expect(readForm({ ShirtSize: 'Your T-shirt size' })).toEqual(expected);
		expect(readForm({ 'Your T-shirt size': 'ShirtSize' })).toEqual(expected);
	});

	it('never throws, and returns every name once and none that is blank', () => {
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
	it('uses only the fields of the form', () => {
		fc.assert(
			fc.property(forms, fc.dictionary(fc.string(), fc.jsonValue()), (form, other) => {
				const own = Object.fromEntries(form.map(({ name }) => [name, `value of ${name}`]));
				const values = autoMap({ ...other, ...own }, form);
				const named = form.filter(({ name }) => name !== 'CustomFields');
				for (const { name } of named) expect(values.get(name)).toBe(own[name]);
				expect([...values.keys()].every((name) => form.some((field) => field.name === name))).toBe(
					true,
				);
			}),
		);
	});

	it('prefers the name to the caption, and both to similar names', () => {
		const form = [{ name: 'FirstName', caption: 'Given name', required: false }];
		const from = (item: object) => autoMap(item as never, form).get('FirstName');
		expect(from({ 'first name': 'c', 'Given name': 'b', FirstName: 'a' })).toBe('a');
		expect(from({ 'first name': 'c', 'Given name': 'b' })).toBe('b');
		expect(from({ first_name: 'c' })).toBe('c');
		expect(from({ 'GIVEN NAME': 'd' })).toBe('d');
		expect(from({ name: 'e' })).toBeUndefined();
	});

	it('finds values in custom fields, as the service lists them and as Simplify outputs them', () => {
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
	const body = (values: object, clearsBlank = false) =>
		serializeFormValues(new Map(Object.entries(values)), properties, clearsBlank);

	it('has standard fields at the top level and the rest as custom fields', () => {
		const given = {
			Email: ' a@b.example ',
			MobilePhone: 4670555,
			RegistrationTypeId: '2013',
			SendEmails: 'true',
			Diet: 'Vegan',
		};
		expect(body(given)).toEqual({
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
				const given = new Map(pairs);
				const { CustomFields = [], ...own } = serializeFormValues(
					given,
					contactForm.properties,
					false,
				);
				const sent = [
					...Object.entries(own),
					...(CustomFields as Array<{ Name: string; Value: string }>).map(({ Name, Value }) => [
						Name,
						Value,
					]),
				];
				const expected = [...given].map(([name, value]) => [
					name,
					name === 'Email' ? value.trim() : value,
				]);
				expect(new Map(sent as never)).toEqual(new Map(expected as never));
				expect(Object.keys(own).every((name) => name in contactForm.properties)).toBe(true);
			}),
		);
	});

	it('omits blank values, or clears fields with them if that is set', () => {
		const given = {
			FirstName: '',
			LastName: null,
			Diet: ' ',
			Company: undefined,
			RegistrationTypeId: '',
		};
		expect(body(given)).toEqual({});
		expect(body(given, true)).toEqual({
			FirstName: '',
			CustomFields: [{ Name: 'Diet', Value: '' }],
		});
	});

	it('contains lists, booleans and dates as strings', () => {
		const given = { A: ['x', 'y'], B: false, C: new Date(0), D: 0, E: { f: 1 } };
		expect(body(given).CustomFields).toEqual([
			{ Name: 'A', Value: 'x, y' },
			{ Name: 'B', Value: 'false' },
			{ Name: 'C', Value: '1970-01-01T00:00:00.000Z' },
			{ Name: 'D', Value: '0' },
			{ Name: 'E', Value: '{"f":1}' },
		]);
	});

	it('reports exactly the required fields that are blank', () => {
		fc.assert(
			fc.property(
				forms,
				fc.infiniteStream(fc.constantFrom('', ' ', 'x', null, undefined, false, 0)),
				(form, stream) => {
					const values = new Map(form.map(({ name }) => [name, stream.next().value as unknown]));
					const blank = (value: unknown) =>
						value === null || value === undefined || `${value as string}`.trim() === '';
					expect(missingCaptions(values, form)).toEqual(
						form
							.filter(({ name, required }) => required && blank(values.get(name)))
							.map((field) => field.caption),
					);
				},
			),
		);
	});
});

import fc from 'fast-check';

import {
	fromColumns,
	toColumns,
	toColumnId,
	toFieldName,
} from '../../../nodes/EventRegistration/form/columns';
import {
	contactForm,
	registrationForm,
} from '../../../nodes/EventRegistration/form/formDefinitions';
import type { FormField } from '../../../nodes/EventRegistration/form/readForm';
import { forms, nasty, personFields } from './formSamples';

describe('the columns of the resource mapper', () => {
	it('columns map back to any names of the form', () => {
		fc.assert(
			fc.property(fc.oneof(nasty, fc.string()), (name) => {
				expect(toFieldName(toColumnId(name))).toBe(name);
				expect(toColumnId(name)).not.toMatch(/["\\[\]]/);
			}),
		);
	});

	it('required fields are marked only for a new record', () => {
		fc.assert(
			fc.property(forms, (form) => {
				const { standard } = registrationForm;
				const requiredNames = (enforcesRequired: boolean) =>
					fromColumns(toColumns(form, standard, { enforcesRequired }))
						.filter((field) => field.required)
						.map(({ name }) => name);
				expect(requiredNames(true)).toEqual(
					form.filter((field) => field.required).map(({ name }) => name),
				);
				expect(requiredNames(false)).toEqual([]);
			}),
		);
	});

	it('without required fields in the form, the fields that a new record needs are marked', () => {
		const markedIds = (form: FormField[], enforcesRequired = true) =>
			toColumns(form, registrationForm.standard, {
				enforcesRequired,
				requiredByDefault: registrationForm.requiredOnCreate,
			})
				.filter(({ required }) => required)
				.map(({ id }) => id);
		const silent = personFields.map(({ name, caption }) => ({ name, caption }));
		expect(markedIds(silent)).toEqual(['FirstName', 'LastName', 'Email']);
		expect(markedIds(silent, false)).toEqual([]);
		expect(markedIds(personFields)).toEqual([]);
		expect(markedIds([])).toEqual(['FirstName', 'LastName', 'Email']);
		// A form without a family name asks for none.
		expect(markedIds([{ name: 'Email', caption: 'Email' }])).toEqual(['Email']);
	});

	it('a form with 300 fields offers all, and initially shows the first and the required ones', () => {
		const form = Array.from({ length: 300 }, (_, index) => ({
			name: `Field${index}`,
			caption: `Question ${index}`,
			required: index === 299,
		}));
		const columns = toColumns(form, [], { enforcesRequired: true });
		expect(columns).toHaveLength(300);
		const shown = columns.filter(({ removed }) => !removed).map(({ id }) => id);
		expect(shown).toEqual([...form.slice(0, 50).map(({ name }) => name), 'Field299']);
	});

	it('a form without names initially shows the standard fields; other forms offer them', () => {
		const empty = toColumns([], contactForm.standard, { enforcesRequired: true });
		const standard = ['FirstName', 'LastName', 'Email', 'Phone', 'Organization', 'Title'];
		expect(empty.map(({ id, removed }) => [id, removed])).toEqual(
			standard.map((name) => [name, false]),
		);
		const some = toColumns(personFields, contactForm.standard, { enforcesRequired: true });
		expect(some.filter(({ removed }) => removed).map(({ id }) => id)).toEqual(standard.slice(3));
	});

	it('columns have the type of the field, and send nothing by default', () => {
		const columnOfType = (type: string, options?: string[]) =>
			toColumns([{ name: 'x', caption: 'X', required: false, type, options }], [], {
				enforcesRequired: true,
			})[0]!;
		expect(columnOfType('select', ['A', 'B'])).toMatchObject({
			type: 'options',
			options: [
				{ name: 'A', value: 'A' },
				{ name: 'B', value: 'B' },
			],
		});
		expect(columnOfType('multiselect', ['A', 'B']).type).toBe('string');
		expect(columnOfType('checkbox')).toMatchObject({ type: 'boolean', defaultValue: null });
		expect(columnOfType('datetime').type).toBe('dateTime');
		expect(columnOfType('number').type).toBe('number');
		expect(columnOfType('email').type).toBe('string');
	});

	it('columns with the same caption are distinguished', () => {
		const twins = ['A', 'B'].map((name) => ({ name, caption: 'Company', required: false }));
		const columns = toColumns(twins, [], { enforcesRequired: true });
		expect(columns.map(({ displayName }) => displayName)).toEqual(['Company (A)', 'Company (B)']);
	});
});

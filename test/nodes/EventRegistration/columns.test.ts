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
import { forms, nasty, people } from './formSamples';

describe('the columns of the resource mapper', () => {
	it('map back to the names of the form, whatever these are', () => {
		fc.assert(
			fc.property(fc.oneof(nasty, fc.string()), (name) => {
				expect(toFieldName(toColumnId(name))).toBe(name);
				expect(toColumnId(name)).not.toMatch(/["\\[\]]/);
			}),
		);
	});

	it('mark required fields only for a new record', () => {
		fc.assert(
			fc.property(forms, (form) => {
				const { standard } = registrationForm;
				const required = (enforcesRequired: boolean) =>
					fromColumns(toColumns(form, standard, { enforcesRequired }))
						.filter((field) => field.required)
						.map(({ name }) => name);
				expect(required(true)).toEqual(
					form.filter((field) => field.required).map(({ name }) => name),
				);
				expect(required(false)).toEqual([]);
			}),
		);
	});

	it('mark the fields that a new record needs only if the form does not say which are required', () => {
		const marked = (form: FormField[], enforcesRequired = true) =>
			toColumns(form, registrationForm.standard, {
				enforcesRequired,
				requiredByDefault: registrationForm.requiredOnCreate,
			})
				.filter(({ required }) => required)
				.map(({ id }) => id);
		const silent = people.map(({ name, caption }) => ({ name, caption }));
		expect(marked(silent)).toEqual(['FirstName', 'LastName', 'Email']);
		expect(marked(silent, false)).toEqual([]);
		expect(marked(people)).toEqual([]);
		expect(marked([])).toEqual(['FirstName', 'LastName', 'Email']);
		// A form without a family name asks for none.
		expect(marked([{ name: 'Email', caption: 'Email' }])).toEqual(['Email']);
	});

	it('offer every field of a form with 300, and show the first and the required ones initially', () => {
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

	it('show the standard fields initially for a form without names, and offer them otherwise', () => {
		const empty = toColumns([], contactForm.standard, { enforcesRequired: true });
		const standard = ['FirstName', 'LastName', 'Email', 'Phone', 'Organization', 'Title'];
		expect(empty.map(({ id, removed }) => [id, removed])).toEqual(
			standard.map((name) => [name, false]),
		);
		const some = toColumns(people, contactForm.standard, { enforcesRequired: true });
		expect(some.filter(({ removed }) => removed).map(({ id }) => id)).toEqual(standard.slice(3));
	});

	it('match the type of the field, and send nothing by default', () => {
		const of = (type: string, options?: string[]) =>
			toColumns([{ name: 'x', caption: 'X', required: false, type, options }], [], {
				enforcesRequired: true,
			})[0]!;
		expect(of('select', ['A', 'B'])).toMatchObject({
			type: 'options',
			options: [
				{ name: 'A', value: 'A' },
				{ name: 'B', value: 'B' },
			],
		});
		expect(of('multiselect', ['A', 'B']).type).toBe('string');
		expect(of('checkbox')).toMatchObject({ type: 'boolean', defaultValue: null });
		expect(of('datetime').type).toBe('dateTime');
		expect(of('number').type).toBe('number');
		expect(of('email').type).toBe('string');
	});

	it('distinguish fields with the same caption', () => {
		const twins = ['A', 'B'].map((name) => ({ name, caption: 'Company', required: false }));
		const columns = toColumns(twins, [], { enforcesRequired: true });
		expect(columns.map(({ displayName }) => displayName)).toEqual(['Company (A)', 'Company (B)']);
	});
});

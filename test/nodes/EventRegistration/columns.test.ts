// Protects the form in the panel: each field of the service has an input of its type, and required fields are marked.
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
import { anyForm, anyUnusualName, personFields } from './formArbitraries';

describe('the columns of the resource mapper', () => {
	it('the ID of a column maps back to the name of its field, for any name', () => {
		fc.assert(
			fc.property(fc.oneof(anyUnusualName, fc.string()), (name) => {
				expect(toFieldName(toColumnId(name))).toBe(name);
				expect(toColumnId(name)).not.toMatch(/["\\[\]]/);
			}),
		);
	});

	it('required fields are marked only for a new record', () => {
		fc.assert(
			fc.property(anyForm, (form) => {
				const { standardFields } = registrationForm;
				const getRequiredNames = (enforcesRequired: boolean) =>
					fromColumns(toColumns(form, standardFields, { enforcesRequired }))
						.filter((field) => field.required)
						.map(({ name }) => name);
				expect(getRequiredNames(true)).toEqual(
					form.filter((field) => field.required).map(({ name }) => name),
				);
				expect(getRequiredNames(false)).toEqual([]);
			}),
		);
	});

	it('if the form does not say what is required, the fields that a new record needs are marked', () => {
		const getMarkedIds = (form: FormField[], enforcesRequired = true) =>
			toColumns(form, registrationForm.standardFields, {
				enforcesRequired,
				requiredByDefault: registrationForm.requiredOnCreate,
			})
				.filter(({ required }) => required)
				.map(({ id }) => id);
		const fieldsWithoutRequired = personFields.map(({ name, caption }) => ({ name, caption }));
		expect(getMarkedIds(fieldsWithoutRequired)).toEqual(['FirstName', 'LastName', 'Email']);
		expect(getMarkedIds(fieldsWithoutRequired, false)).toEqual([]);
		expect(getMarkedIds(personFields)).toEqual([]);
		expect(getMarkedIds([])).toEqual(['FirstName', 'LastName', 'Email']);
		// A form without a family name asks for none.
		expect(getMarkedIds([{ name: 'Email', caption: 'Email' }])).toEqual(['Email']);
	});

	it('a form with 300 fields offers all, and initially shows the first 50 and the required ones', () => {
		const form = Array.from({ length: 300 }, (_, index) => ({
			name: `Field${index}`,
			caption: `Question ${index}`,
			required: index === 299,
		}));
		const columns = toColumns(form, [], { enforcesRequired: true });
		expect(columns).toHaveLength(300);
		const shownIds = columns.filter(({ removed }) => !removed).map(({ id }) => id);
		expect(shownIds).toEqual([...form.slice(0, 50).map(({ name }) => name), 'Field299']);
	});

	it('an empty form initially shows the standard fields; other forms offer those that they lack', () => {
		const emptyFormColumns = toColumns([], contactForm.standardFields, { enforcesRequired: true });
		const standardNames = ['FirstName', 'LastName', 'Email', 'Phone', 'Organization', 'Title'];
		expect(emptyFormColumns.map(({ id, removed }) => [id, removed])).toEqual(
			standardNames.map((name) => [name, false]),
		);
		const personFormColumns = toColumns(personFields, contactForm.standardFields, {
			enforcesRequired: true,
		});
		expect(personFormColumns.filter(({ removed }) => removed).map(({ id }) => id)).toEqual(
			standardNames.slice(3),
		);
	});

	it('columns have the type of the field, and send nothing by default', () => {
		const makeColumn = (type: string, options?: string[]) =>
			toColumns([{ name: 'x', caption: 'X', required: false, type, options }], [], {
				enforcesRequired: true,
			})[0]!;
		expect(makeColumn('select', ['A', 'B'])).toMatchObject({
			type: 'options',
			options: [
				{ name: 'A', value: 'A' },
				{ name: 'B', value: 'B' },
			],
		});
		expect(makeColumn('multiselect', ['A', 'B']).type).toBe('string');
		expect(makeColumn('checkbox')).toMatchObject({ type: 'boolean', defaultValue: null });
		expect(makeColumn('datetime').type).toBe('dateTime');
		expect(makeColumn('number').type).toBe('number');
		expect(makeColumn('email').type).toBe('string');
	});

	it('columns with the same caption also show the name of their field', () => {
		const fieldsWithSameCaption = ['A', 'B'].map((name) => ({
			name,
			caption: 'Company',
			required: false,
		}));
		const columns = toColumns(fieldsWithSameCaption, [], { enforcesRequired: true });
		expect(columns.map(({ displayName }) => displayName)).toEqual(['Company (A)', 'Company (B)']);
	});
});

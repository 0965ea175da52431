// Protects users of the panels: names, descriptions, examples and lists have one style, which is that of n8n.
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { packServices } from '../support/pack';

const isField = (option: object): option is INodeProperties => 'type' in option;
const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;

/** Returns a property and everything inside it. */
function flatten(property: INodeProperties): INodeProperties[] {
	const nested = (property.options ?? []).flatMap((option) => {
		if (isGroup(option)) return option.values.flatMap(flatten);
		return isField(option) ? flatten(option) : [];
	});
	return [property, ...nested];
}

/** Words that are in lower case inside a title. */
const LOWER_CASE_WORD =
	/^(a|an|and|as|at|by|for|from|if|in|of|on|or|per|the|to|until|via|with|not)$/;
/** Length from which n8n cuts off the description of an operation: it shows two lines. */
const CUT_OFF_LENGTH = 90;
/** Words that add nothing to a label. */
const FILLER_WORD =
	/^(a|an|the|of|to|for|in|on|it|its|this|that|with|and|or|which|what|is|are|work|them)$/;
const isTitleCase = (text: string) =>
	text
		.replace(/\(.*?\)/g, '')
		.split(/[\s-]+/)
		.filter(Boolean)
		.every((word, index) => /^[^a-z]/.test(word) || (index > 0 && LOWER_CASE_WORD.test(word)));
const isSentenceCase = (text: string) => /^[A-Z]/.test(text) && !/[a-z] [A-Z][a-z]/.test(text);

const describedNodes = packServices.map(({ Node }) => ({
	name: new Node().description.displayName,
	description: new Node().description,
}));

describe.each(describedNodes)('the panel of $name', ({ description }) => {
	const allProperties = description.properties.flatMap(flatten);
	const expectNone = (violations: unknown[]) => expect(violations).toEqual([]);

	it('names fields and options in title case', () => {
		// A notice is a sentence.
		const labeledProperties = allProperties.filter(({ type }) => type !== 'notice');
		expectNone(
			labeledProperties.map(({ displayName }) => displayName).filter((name) => !isTitleCase(name)),
		);
		const choices = allProperties
			// The fields of a record have the names of the output.
			.filter(({ name }) => name !== 'selectedFields')
			.flatMap(({ options = [] }) => options)
			.filter((option) => !isField(option) && !isGroup(option));
		expectNone(choices.map(({ name }) => name).filter((name) => !isTitleCase(name)));
	});

	it('names actions in sentence case', () => {
		const operations = description.properties.filter(({ name }) => name === 'operation');
		const actions = operations
			.flatMap(({ options }) => options as INodePropertyOptions[])
			.map(({ action }) => action ?? '');
		expect(actions.length).toBeGreaterThan(0);
		expectNone(actions.filter((action) => !isSentenceCase(action)));
	});

	const operations = description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => options as INodePropertyOptions[]);

	it('describes every operation, in a text that n8n does not cut off', () => {
		expect(operations.length).toBeGreaterThan(1);
		expectNone(
			operations
				.filter((option) => !option.description || option.description.length >= CUT_OFF_LENGTH)
				.map((option) => `${option.action}: ${option.description?.length ?? 0}`),
		);
	});

	it('says more in a tooltip than the label does', () => {
		const listWords = (text: string) =>
			text
				.toLowerCase()
				.split(/[^a-z]+/)
				.filter((word) => word !== '' && !FILLER_WORD.test(word));
		expectNone(
			allProperties
				.filter(({ description: tooltip }) => tooltip !== undefined)
				.filter(({ displayName, description: tooltip = '' }) => {
					const labelWords = new Set(listWords(displayName));
					return listWords(tooltip).every((word) => labelWords.has(word));
				})
				.map(({ displayName, description: tooltip }) => `${displayName}: ${tooltip}`),
		);
	});

	it('has no two buttons with the same text in one operation', () => {
		const propertiesByButton = new Map<string, string>();
		const listButtons = (field: INodeProperties): string[] => {
			const ownButtons =
				/ollection$/.test(field.type) && field.placeholder ? [field.placeholder] : [];
			return [...ownButtons, ...flatten(field).slice(1).flatMap(listButtons)];
		};
		const duplicates: string[] = [];
		for (const property of description.properties) {
			const { resource = [], operation = [] } = property.displayOptions?.show ?? {};
			const places = (resource as string[]).flatMap((resourceName) =>
				(operation as string[]).map((operationName) => `${resourceName}: ${operationName}`),
			);
			for (const place of places) {
				for (const text of new Set(listButtons(property))) {
					const button = `${place} ${text}`;
					const otherProperty = propertiesByButton.get(button);
					if (otherProperty !== undefined && otherProperty !== property.name)
						duplicates.push(button);
					propertiesByButton.set(button, property.name);
				}
			}
		}
		expectNone(duplicates);
	});

	it('gives an example as the placeholder of every text', () => {
		const texts = allProperties.filter(
			({ type, typeOptions }) => type === 'string' && !typeOptions?.password,
		);
		expectNone(
			texts
				.filter(({ placeholder }) => !placeholder?.startsWith('e.g. '))
				.map(({ displayName }) => displayName),
		);
		const modes = allProperties
			.flatMap(({ modes = [] }) => modes)
			.filter(({ type }) => type === 'string');
		expectNone(
			modes
				.filter(({ placeholder }) => !placeholder?.startsWith('e.g. '))
				.map(({ displayName }) => displayName),
		);
	});

	it('begins the description of a switch with Whether', () => {
		const switches = allProperties.filter(({ type }) => type === 'boolean');
		expectNone(
			switches
				.filter((field) => !field.description?.startsWith('Whether'))
				.map(({ displayName }) => displayName),
		);
	});

	it('takes no expression for resource and operation', () => {
		const selectors = description.properties.filter(
			({ name }) => name === 'resource' || name === 'operation',
		);
		expect(selectors.length).toBeGreaterThan(1);
		expectNone(
			selectors.filter(({ noDataExpression }) => !noDataExpression).map(({ name }) => name),
		);
	});

	it('gives all parameters of one name the same type within one operation', () => {
		const types = new Map<string, string>();
		for (const { name, type, displayOptions } of description.properties) {
			for (const resource of (displayOptions?.show?.resource ?? ['*']) as string[]) {
				for (const operation of (displayOptions?.show?.operation ?? ['*']) as string[]) {
					const place = `${resource}/${operation}/${name}`;
					expect(`${place}: ${types.get(place) ?? type}`).toBe(`${place}: ${type}`);
					types.set(place, type);
				}
			}
		}
	});
});

describe('the lists of all panels', () => {
	const allFields = describedNodes.flatMap(({ name, description }) =>
		description.properties.flatMap(flatten).map((field) => ({ name, field })),
	);

	it.each(
		allFields.filter(
			({ field: { options, type } }) => (options?.length ?? 0) >= 5 && type !== 'fixedCollection',
		),
	)('are sorted if they have five entries or more: $name, $field.displayName', ({ field }) => {
		const names = field.options!.map((option) =>
			'displayName' in option ? option.displayName : option.name,
		);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
	});

	it.each(allFields.filter(({ field }) => field.name === 'limit'))(
		'have a limit of 50 by default, and of 1 at least: $name',
		({ field }) => {
			expect(field).toMatchObject({ default: 50, typeOptions: { minValue: 1 } });
		},
	);
});

import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../field';
import type { Catalog, Operation, Resource } from '../operation';
import { limitFields, mostRecords, pagesAtATime, returnEmptyItem } from './limits';
import { sharedOptions } from './options';
import { outputFields } from './output';

const byName = <T extends { displayName?: string; name: string }>(a: T, b: T) =>
	(a.displayName ?? a.name).localeCompare(b.displayName ?? b.name, 'en');

/** Turns the tables of a service into the properties that n8n shows, each only where it belongs. */
export function properties(service: Catalog): INodeProperties[] {
	const resources = Object.entries(service.resources);
	return [
		selector(
			'Resource',
			resources.map(([value, { name, description }]) => ({ name, value, description })),
			service.initial,
		),
		...resources.flatMap(([value, resource]) => resourceProperties(value, resource)),
	];
}

function selector(
	displayName: string,
	options: INodePropertyOptions[],
	initial: string,
	displayOptions?: IDisplayOptions,
): INodeProperties {
	const sorted = [...options].sort(byName);
	return {
		displayName,
		name: displayName.toLowerCase(),
		type: 'options',
		noDataExpression: true,
		displayOptions,
		options: sorted,
		default: initial,
	};
}

function resourceProperties(resourceValue: string, resource: Resource): INodeProperties[] {
	const operations = Object.entries(resource.operations);
	const show = (...operation: string[]) => ({ resource: [resourceValue], operation });
	const operationSelector = selector(
		'Operation',
		operations.map(([value, { name, action, description }]) => ({
			name,
			value,
			action,
			description,
		})),
		resource.initial,
		{ show: { resource: [resourceValue] } },
	);
	const own = operations.flatMap(([value, operation]) =>
		operationFields(operation).map((field) => showOnlyFor(field, { show: show(value) })),
	);
	// Operations whose options are the same share one collection.
	const collections = operations
		.filter(([, { options }]) => options?.length)
		.map(([value, operation]) => optionsCollection(operationOptions(operation), show(value)));
	const others = operations.filter(([, { options }]) => !options?.length);
	for (const kind of new Set(others.map(([, operation]) => optionsKey(operation)))) {
		const sameOptions = others.filter(([, operation]) => optionsKey(operation) === kind);
		const values = sameOptions.map(([value]) => value);
		collections.push(optionsCollection(operationOptions(sameOptions[0]![1]), show(...values)));
	}
	return [operationSelector, ...own, ...collections];
}

/** The types of fields that filter a list. */
const FILTERS = ['collection', 'fixedCollection'];

/** All fields of an operation outside its options, those that the engine adds included. */
export function operationFields({ fields, pages, simplify }: Operation): Field[] {
	// Filters of a list stand below its limit, as in n8n's own nodes.
	const isFilter = ({ type }: Field) => pages !== undefined && FILTERS.includes(type);
	return [
		...fields.filter((field) => !isFilter(field)),
		...(pages ? limitFields : []),
		...(simplify ? outputFields(simplify) : []),
		...fields.filter(isFilter),
	];
}

/** All options of an operation, those that the engine adds included. */
const operationOptions = (operation: Operation): Field[] => [
	...(operation.options ?? []),
	...(operation.pages ? [mostRecords, returnEmptyItem] : []),
	...(operation.pages?.page === undefined ? [] : [pagesAtATime]),
	...sharedOptions(operation),
];

/** The same for operations whose options are the same. */
const optionsKey = (operation: Operation) =>
	operationOptions(operation)
		.map(({ name, default: usual }) => `${name} ${usual as string}`)
		.join();

function optionsCollection(fields: Field[], show: Record<string, string[]>): INodeProperties {
	return showOnlyFor(
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [...fields].sort(byName),
		},
		{ show },
	);
}

/** Strips what only the engine reads, and shows the field just for its operation. */
function showOnlyFor(field: Field, display: IDisplayOptions): INodeProperties {
	const shown = toProperty(field);
	return {
		...shown,
		displayOptions: {
			...field.displayOptions,
			show: { ...display.show, ...field.displayOptions?.show },
		},
	};
}

/** A field as n8n knows it, without what only the engine reads. */
export function toProperty(field: Field): INodeProperties {
	const property: Partial<Field> = { ...field };
	delete property.read;
	delete property.readWhenBlank;
	delete property.rejectBlank;
	delete property.target;
	delete property.secret;
	const { options, ...rest } = property;
	// What is left are n8n's own members, as many as every property must have.
	const bare = rest as INodeProperties;
	if (!options) return bare;
	return {
		...bare,
		options: options.map((option) => {
			if ('values' in option) return { ...option, values: option.values.map(toProperty) };
			return 'type' in option ? toProperty(option) : option;
		}),
	};
}

import { SEND_AND_WAIT_OPERATION } from 'n8n-workflow';
import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../field';
import type { Catalog, Operation, Resource } from '../operation';
import { isList } from '../operationTraits';
import { outputsField } from './branches';
import { limitFields, mostRecords, pagesAtATime, returnEmptyItem } from './limits';
import { sharedOptions } from './options';
import { hiddenInReview, outputFields } from './output';

const byName = <T extends { displayName?: string; name: string }>(a: T, b: T) =>
	(a.displayName ?? a.name).localeCompare(b.displayName ?? b.name, 'en');

/** Converts a catalog to n8n properties, each shown only for its resource and operation. */
export function toNodeProperties(service: Catalog): INodeProperties[] {
	const resources = Object.entries(service.resources);
	return [
		selector(
			'Resource',
			resources.map(([value, { name, description }]) => ({ name, value, description })),
			service.defaultResource,
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
		resource.defaultOperation,
		{ show: { resource: [resourceValue] } },
	);
	const own = operations.flatMap(([value, operation]) =>
		operationFields(operation)
			.map((field) => (value === SEND_AND_WAIT_OPERATION ? hiddenInReview(field) : field))
			.map((field) => showOnlyFor(field, { show: show(value) })),
	);
	// An operation with options of its own has its own collection. Other operations share a collection if the engine adds
	// the same options to them.
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

/** A field of a list operation with one of these types is a filter. */
const FILTER_TYPES = ['collection', 'fixedCollection'];

/** Returns all fields of an operation except its options, including those that the engine adds. */
export function operationFields(operation: Operation): Field[] {
	const { fields, simplify, branches } = operation;
	const hasLimit = isList(operation);
	// Filters of a list follow its limit, as in n8n's own nodes.
	const isFilter = ({ type }: Field) => hasLimit && FILTER_TYPES.includes(type);
	return [
		...fields.filter((field) => !isFilter(field)),
		...(hasLimit ? limitFields : []),
		...(simplify ? outputFields(simplify) : []),
		...(branches ? [outputsField(branches)] : []),
		...fields.filter(isFilter),
	];
}

/** Returns all options of an operation, including those that the engine adds. */
const operationOptions = (operation: Operation): Field[] => [
	...(operation.options ?? []),
	...(operation.paging ? [mostRecords] : []),
	...(isList(operation) ? [returnEmptyItem] : []),
	...(operation.paging?.pageParameter === undefined ? [] : [pagesAtATime]),
	...sharedOptions(operation),
];

/** Returns a key that is equal for operations with equal options. */
const optionsKey = (operation: Operation) =>
	operationOptions(operation)
		.map(({ name, default: defaultValue }) => JSON.stringify([name, defaultValue]))
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

/** Converts a field to a property that is shown only under the given conditions. */
function showOnlyFor(field: Field, display: IDisplayOptions): INodeProperties {
	const property = toProperty(field);
	return {
		...property,
		displayOptions: {
			...field.displayOptions,
			show: { ...display.show, ...field.displayOptions?.show },
		},
	};
}

/** Hint for assistants that build workflows (n8n 2.41.1, @n8n/workflow-sdk, generate-types.js). */
const DATE_HINT: Pick<INodeProperties, 'builderHint'> = {
	builderHint: {
		propertyHint:
			"An ISO 8601 time with an offset, for example 2026-05-04T10:00:00+02:00. Without an offset it counts in the workflow's time zone.",
	},
};

/** Converts a field to an n8n property: removes the members that only the engine reads. */
export function toProperty(field: Field): INodeProperties {
	const property: Partial<Field> = { ...field };
	delete property.read;
	delete property.readWhenBlank;
	delete property.rejectBlank;
	delete property.target;
	delete property.secret;
	const { options, ...rest } = property;
	// The rest are the members of INodeProperties, with all required ones.
	const bare = { ...(rest.type === 'dateTime' && DATE_HINT), ...(rest as INodeProperties) };
	if (!options) return bare;
	return {
		...bare,
		options: options.map((option) => {
			if ('values' in option) return { ...option, values: option.values.map(toProperty) };
			return 'type' in option ? toProperty(option) : option;
		}),
	};
}

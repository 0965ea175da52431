import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Field, Operation, Resource, Service } from './operation';
import { sharedOptions } from './options';
import { limitFields } from './pages';

const byName = <T extends { displayName?: string; name: string }>(a: T, b: T) =>
	(a.displayName ?? a.name).localeCompare(b.displayName ?? b.name, 'en');

/** Turns the tables of a service into the properties that n8n shows, each only where it belongs. */
export function properties(service: Service): INodeProperties[] {
	const resources = Object.entries(service.resources);
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources
				.map(([value, { name, description }]) => ({ name, value, description }))
				.sort(byName),
			default: service.initial,
			description: 'What to work with',
		},
		...resources.flatMap(([value, resource]) => resourceProperties(value, resource)),
	];
}

function resourceProperties(resourceValue: string, resource: Resource): INodeProperties[] {
	const operations = Object.entries(resource.operations);
	const show = (...operation: string[]) => ({ resource: [resourceValue], operation });
	const selector: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resourceValue] } },
		options: operations
			.map(([value, { name, action, description }]): INodePropertyOptions => ({
				name,
				value,
				action,
				description,
			}))
			.sort(byName),
		default: resource.initial,
		description: 'What to do',
	};
	const own = operations.flatMap(([value, operation]) =>
		operationFields(operation).map((field) => visible(field, { show: show(value) })),
	);
	const withOptions = operations.filter(([, { options }]) => options?.length);
	const without = operations.filter(([, { options }]) => !options?.length);
	const collections = withOptions.map(([value, operation]) =>
		optionsCollection([...operation.options!, ...sharedOptions], show(value)),
	);
	if (without.length > 0) {
		collections.push(optionsCollection(sharedOptions, show(...without.map(([value]) => value))));
	}
	return [selector, ...own, ...collections];
}

/** All fields of an operation outside its options, those that the engine adds included. */
export function operationFields(operation: Operation): Field[] {
	const simplify: Field = {
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	};
	return [
		...operation.fields,
		...(operation.pages ? limitFields : []),
		...(operation.simplify ? [simplify] : []),
	];
}

function optionsCollection(fields: Field[], show: Record<string, string[]>): INodeProperties {
	return visible(
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			description: 'Settings that are rarely needed',
			options: [...fields].sort(byName),
		},
		{ show },
	);
}

/** Strips what only the engine reads, and shows the field just for its operation. */
function visible(field: Field, display: IDisplayOptions): INodeProperties {
	const shown = strip(field);
	return {
		...shown,
		displayOptions: {
			...field.displayOptions,
			show: { ...display.show, ...field.displayOptions?.show },
		},
	};
}

function strip(field: Field): INodeProperties {
	const { target: _target, secret: _secret, options, ...property } = field;
	if (!options) return property;
	return {
		...property,
		options: options.map((option) => {
			if ('values' in option) return { ...option, values: option.values.map(strip) };
			return 'type' in option ? strip(option) : option;
		}),
	};
}

import type { ContractOperation, Schema } from '../../contracts/read';
import type { Field, RequestPart } from '../../nodes/engine/field';
import type { Operation } from '../../nodes/engine/operation';
import { operationFields } from '../../nodes/engine/panel/properties';
import { requestBodySchema, contractOperations } from '../support/contracts';
import type { PackService } from '../support/pack';

/** A field, and the part of the request that it fills. */
export interface SentField {
	field: Field;
	place: RequestPart;
	name: string;
	/** Whether every request contains it: it is neither optional nor hidden by a condition. */
	isAlwaysSent: boolean;
}

/** Lists the fields of an operation that fill a part of its request, those in collections included. */
export function listSentFields(operation: Operation): SentField[] {
	const collect = (field: Field, isTopLevel: boolean): SentField[] => {
		if (field.target) {
			const name = field.target.as ?? field.name;
			const isAlwaysSent = isTopLevel && !field.displayOptions;
			return [{ field, place: field.target.in, name, isAlwaysSent }];
		}
		if (field.type !== 'collection') return [];
		return (field.options ?? []).flatMap((option) =>
			'type' in option ? collect(option, false) : [],
		);
	};
	return [
		...operationFields(operation).flatMap((field) => collect(field, true)),
		...(operation.options ?? []).flatMap((field) => collect(field, false)),
	];
}

/** Lists the operations of a service, each with its label. */
export const listOperations = ({ service }: PackService) =>
	Object.entries(service.resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([value, operation]) => ({
			label: `${resource}:${value}`,
			operation,
		})),
	);

/** Returns the method and path template by which an operation matches one of the contract, such as `GET /events/{id}`. */
export const requestLineOf = ({ method, path }: { method: string; path: string }) =>
	`${method} ${path}`;

/** Lists the operations that are one request, each with its operation of the contract. */
export function pairWithContract(packService: PackService) {
	const candidates = contractOperations(packService.contract);
	return listOperations(packService).flatMap(({ label, operation }) => {
		const { request } = operation;
		const contractOperation =
			request &&
			candidates.find((candidate) => requestLineOf(candidate) === requestLineOf(request));
		return contractOperation ? [{ label, operation, contractOperation }] : [];
	});
}

/** Returns the schema of a property. A dot in its name reaches into an object. */
export function findPropertySchema(schema: Schema | undefined, name: string): Schema | undefined {
	return name.split('.').reduce<Schema | undefined>((parent, step) => {
		if (!parent) return undefined;
		const alternatives = [
			parent,
			...(parent.allOf ?? []),
			...(parent.oneOf ?? []),
			...(parent.anyOf ?? []),
		];
		const propertySchema = alternatives.map((part) => part.properties?.[step]).find(Boolean);
		if (propertySchema) return propertySchema;
		const additionalSchema = alternatives
			.map((part) => part.additionalProperties)
			.find((extra) => extra && extra !== true);
		return additionalSchema ? (additionalSchema as Schema) : undefined;
	}, schema);
}

/** Returns the contract's schema for a field that is sent. */
export function findFieldSchema(
	{ place, name }: SentField,
	contract: ContractOperation,
): Schema | undefined {
	const body = requestBodySchema(contract);
	if (place === 'wholeBody') return body;
	if (place === 'body') return findPropertySchema(body, name);
	if (place === 'claim') return findPropertySchema(body?.['x-jwt-claims'], name);
	return contract.parameters.find((parameter) => parameter.in === place && parameter.name === name)
		?.schema;
}

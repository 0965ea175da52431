import type { ContractOperation, Schema } from '../../contracts/read';
import type { Field, RequestPart } from '../../nodes/engine/field';
import type { Operation } from '../../nodes/engine/operation';
import { operationFields } from '../../nodes/engine/panel/properties';
import { requestBodySchema, contractOperations } from '../support/contracts';
import type { PackService } from '../support/pack';

/** A place of the request that a field fills. */
export interface Sent {
	field: Field;
	place: RequestPart;
	name: string;
	always: boolean;
}

/** Every place that a field of the operation fills, those in collections included. */
export function sentBy(operation: Operation): Sent[] {
	const collect = (field: Field, always: boolean): Sent[] => {
		if (field.target) {
			const name = field.target.as ?? field.name;
			return [{ field, place: field.target.in, name, always: always && !field.displayOptions }];
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

/** The rows of a service's table. */
export const rows = ({ service }: PackService) =>
	Object.entries(service.resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([value, operation]) => ({
			label: `${resource}:${value}`,
			operation,
		})),
	);

/** Key by which a row matches an operation of the contract. */
export const key = (method: string, path: string) => `${method} ${path}`;

/** The rows that are one request, each with its operation of the contract. */
export function pairsOf(part: PackService) {
	const contract = contractOperations(part.contract);
	return rows(part).flatMap(({ label, operation }) => {
		const { request } = operation;
		const match =
			request &&
			contract.find(({ method, path }) => key(method, path) === key(request.method, request.path));
		return match ? [{ label, operation, match }] : [];
	});
}

/** The schema of a property, where a dot reaches into an object. */
export function property(schema: Schema | undefined, name: string): Schema | undefined {
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
		const open = alternatives
			.map((part) => part.additionalProperties)
			.find((extra) => extra && extra !== true);
		return open ? (open as Schema) : undefined;
	}, schema);
}

/** Returns the contract's schema for a place in the request. */
export function schemaFor(sent: Sent, contract: ContractOperation): Schema | undefined {
	const { place, name } = sent;
	const body = requestBodySchema(contract);
	if (place === 'wholeBody') return body;
	if (place === 'body') return property(body, name);
	if (place === 'claim') return property(body?.['x-jwt-claims'], name);
	return contract.parameters.find((parameter) => parameter.in === place && parameter.name === name)
		?.schema;
}

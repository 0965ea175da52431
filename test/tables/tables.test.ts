import { readContract, contractNames } from '../support/contracts';
import type { ContractOperation, Schema } from '../support/contracts';
import { parts } from '../support/pack';
import { operationFields } from '../../nodes/engine/properties';
import type { Field, Operation, Place } from '../../nodes/engine/operation';

interface Sent {
	field: Field;
	place: Place;
	name: string;
	always: boolean;
}

/** Every place that a field of the operation fills, those in collections included. */
function sentBy(operation: Operation): Sent[] {
	const collect = (field: Field, always: boolean): Sent[] => {
		if (field.target) {
			const name = field.target.as ?? field.name;
			return [{ field, place: field.target.in, name, always: always && !field.displayOptions }];
		}
		if (field.type !== 'collection') return [];
		return (field.options ?? []).flatMap((option) =>
			'type' in option ? collect(option as Field, false) : [],
		);
	};
	return [
		...operationFields(operation).flatMap((field) => collect(field, true)),
		...(operation.options ?? []).flatMap((field) => collect(field, false)),
	];
}

const rows = ({ service }: (typeof parts)[number]) =>
	Object.entries(service.resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([value, operation]) => ({
			label: `${resource}:${value}`,
			operation,
		})),
	);

const key = (method: string, path: string) => `${method} ${path}`;

/** The schema of a property, where a dot reaches into an object. */
function property(schema: Schema | undefined, name: string): Schema | undefined {
	return name.split('.').reduce<Schema | undefined>((at, step) => {
		if (!at) return undefined;
		const inside = [at, ...(at.allOf ?? []), ...(at.oneOf ?? []), ...(at.anyOf ?? [])];
		const found = inside.map((part) => part.properties?.[step]).find(Boolean);
		if (found) return found;
		const open = inside
			.map((part) => part.additionalProperties)
			.find((extra) => extra && extra !== true);
		return open ? (open as Schema) : undefined;
	}, schema);
}

/** The JSON types that an n8n field can give when it has no converter of its own. */
const gives: Record<string, string[]> = {
	string: ['string'],
	number: ['number', 'integer'],
	boolean: ['boolean'],
	options: ['string', 'integer', 'number', 'boolean'],
	multiOptions: ['array'],
	dateTime: ['string'],
	json: ['object', 'array', 'string'],
	resourceLocator: ['string', 'integer'],
	fixedCollection: ['object', 'array'],
};

function fits(field: Field, schema: Schema): boolean {
	if (field.target?.value) return true;
	const types = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(
		({ type }) => type ?? [],
	);
	return types.length === 0 || types.some((type) => gives[field.type]?.includes(type));
}

function schemaFor(sent: Sent, contract: ContractOperation): Schema | undefined {
	const { place, name } = sent;
	if (place === 'wholeBody') return contract.body;
	if (place === 'body') return property(contract.body, name);
	if (place === 'claim') return property(contract.body?.['x-jwt-claims'], name);
	return contract.parameters.find((parameter) => parameter.in === place && parameter.name === name)
		?.schema;
}

const fromPaging = (operation: Operation) =>
	[operation.pages?.page, operation.pages?.size?.name].filter(Boolean);

describe.each(parts)('the table of $contract', (part) => {
	const contract = readContract(part.contract);
	const table = rows(part);

	it('has exactly one row for every operation of the contract', () => {
		const built = table
			.filter(({ operation }) => operation.request)
			.map(({ operation }) => key(operation.request!.method, operation.request!.path));
		expect([...built].sort()).toEqual(contract.map(({ method, path }) => key(method, path)).sort());
	});

	it('files every row under the resource that the contract names', () => {
		for (const [, resource] of Object.entries(part.service.resources)) {
			for (const { request } of Object.values(resource.operations)) {
				const found =
					request &&
					contract.find(
						({ method, path }) => key(method, path) === key(request.method, request.path),
					);
				if (found) expect(`${request!.path} ${resource.name}`).toBe(`${found.path} ${found.tag}`);
			}
		}
	});

	const pairs = table.flatMap(({ label, operation }) => {
		const { request } = operation;
		const match =
			request &&
			contract.find(({ method, path }) => key(method, path) === key(request.method, request.path));
		return match ? [{ label, operation, match }] : [];
	});

	it.each(pairs)(
		'$label names only what the contract knows, of a type that fits',
		({ operation, match }) => {
			for (const sent of sentBy(operation)) {
				const schema = schemaFor(sent, match);
				expect({ field: sent.name, place: sent.place, known: schema !== undefined }).toEqual({
					field: sent.name,
					place: sent.place,
					known: true,
				});
				expect({ field: sent.name, fits: fits(sent.field, schema!) }).toEqual({
					field: sent.name,
					fits: true,
				});
			}
		},
	);

	it.each(pairs)('$label fills everything that the contract requires', ({ operation, match }) => {
		const sent = sentBy(operation);
		const has = (place: Place, name: string) =>
			sent.some(
				(entry) =>
					entry.place === place && (entry.name === name || entry.name.startsWith(`${name}.`)),
			);
		const absent: string[] = match.parameters
			.filter(
				({ required, in: place, name }) =>
					required && place !== 'header' && !has(place as Place, name),
			)
			.map(({ in: place, name }) => `${place} ${name}`);
		// What an operation's own code puts into the body is proven by its tests against the sandbox.
		if (!operation.run && !operation.together) {
			const claims = match.body?.['x-jwt-claims'];
			const needed = claims ?? match.body;
			const place = claims ? 'claim' : 'body';
			if (
				match.body &&
				!claims &&
				needed?.type !== 'object' &&
				!has('wholeBody', '') &&
				!needed?.properties
			) {
				if (!sent.some((entry) => entry.place === 'wholeBody')) absent.push('body');
			}
			for (const name of needed?.required ?? [])
				if (!has(place, name)) absent.push(`${place} ${name}`);
		}
		const known = fromPaging(operation);
		for (const name of known) {
			expect(match.parameters.map((parameter) => parameter.name)).toContain(name);
		}
		expect(absent).toEqual([]);
	});
});

it('covers every contract', () => {
	expect(parts.map(({ contract }) => contract).sort()).toEqual(contractNames);
});

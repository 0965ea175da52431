import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

import { operationsOf, parseContract, readContract } from '../../contracts/read';
import type { Contract, ContractOperation, Described, Schema } from '../../contracts/read';
import services from '../../contracts/services.json';

interface Example {
	where: string;
	schema: Schema;
	value: unknown;
}

const bodiless = new Set(['204', '205', '304']);

/** Validates values against schemas. Each schema is compiled once. */
function validator() {
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	addFormats(ajv);
	for (const format of ['password', 'int32', 'int64', 'double', 'float']) {
		ajv.addFormat(format, true);
	}
	return (schema: Schema, value: unknown) => {
		const validate = ajv.compile(schema);
		return validate(value) ? [] : (validate.errors ?? []);
	};
}

/** Names an operation in test titles, such as `GET /key/{PK}`. */
const nameOf = ({ method, path }: ContractOperation) => `${method} ${path}`;

function examplesOf(where: string, holder: Described): Example[] {
	const { schema } = holder;
	const namedExamples = Object.entries(holder.examples ?? {}).map(([name, { value }]) => ({
		where: `${where} (${name})`,
		schema,
		value,
	}));
	return 'example' in holder
		? [{ where, schema, value: holder.example }, ...namedExamples]
		: namedExamples;
}

function mediaOf(operation: ContractOperation) {
	const holders = [
		['body', operation.requestBody] as const,
		...Object.entries(operation.responses),
	];
	return holders.flatMap(([place, holder]) =>
		Object.entries(holder?.content ?? {}).map(([type, media]) => ({
			where: `${nameOf(operation)} ${place} ${type}`,
			media,
		})),
	);
}

const allExamples = (operations: ContractOperation[]): Example[] =>
	operations.flatMap((operation) => [
		...operation.parameters.flatMap((parameter) =>
			examplesOf(`${nameOf(operation)} ${parameter.name}`, parameter),
		),
		...mediaOf(operation).flatMap(({ where, media }) => examplesOf(where, media)),
	]);

function collectReferences(value: unknown, foundReferences: string[] = []): string[] {
	if (Array.isArray(value)) value.forEach((entry) => collectReferences(entry, foundReferences));
	else if (value !== null && typeof value === 'object') {
		for (const [key, entry] of Object.entries(value)) {
			if (key === '$ref' && typeof entry === 'string') foundReferences.push(entry);
			else collectReferences(entry, foundReferences);
		}
	}
	return foundReferences;
}

describe.each(Object.values(services))('$contract', ({ contract: file }) => {
	const contract: Contract = readContract(file);
	const operations = operationsOf(contract);
	const check = validator();

	it('is an OpenAPI 3.1 document with operations', () => {
		expect(contract.openapi).toMatch(/^3\.1\./);
		expect(operations).not.toEqual([]);
	});

	it('has examples that fit their schemas', () => {
		const examples = allExamples(operations);
		expect(examples.length).toBeGreaterThan(operations.length);
		const wrong = examples
			.map(({ where, schema, value }) => ({ where, errors: check(schema, value) }))
			.filter(({ errors }) => errors.length > 0);
		expect(wrong).toEqual([]);
	});

	it('has an example for every parameter, body and response', () => {
		const missingExamples = operations.flatMap((operation) => [
			...operation.parameters
				.filter(
					(parameter) =>
						!('schema' in parameter) ||
						!parameter.description ||
						examplesOf('', parameter).length === 0,
				)
				.map((parameter) => `${nameOf(operation)} ${parameter.name}`),
			...mediaOf(operation)
				.filter(({ media }) => !('schema' in media) || examplesOf('', media).length === 0)
				.map(({ where }) => where),
		]);
		expect(missingExamples).toEqual([]);
	});

	it('describes the body of every response that has one', () => {
		const silent = operations
			.filter(({ method }) => method !== 'HEAD')
			.flatMap((operation) =>
				Object.entries(operation.responses)
					.filter(([status, { content }]) => !bodiless.has(status) && !content)
					.map(([status]) => `${nameOf(operation)} ${status}`),
			);
		expect(silent).toEqual([]);
	});

	it('gives every operation a summary, a tag and a level of confidence', () => {
		const tags = contract.tags.map(({ name }) => name);
		for (const operation of operations) {
			const name = nameOf(operation);
			expect({ name, ...operation }).toMatchObject({
				name,
				operationId: expect.stringMatching(/^[a-z][A-Za-z0-9]*$/) as string,
				summary: expect.stringMatching(/\S/) as string,
				'x-source': expect.stringMatching(/^(seed|public|inferred)$/) as string,
			});
			expect({ name, tags: operation.tags }).toEqual({ name, tags: [expect.any(String)] });
			expect(tags).toContain(operation.tags[0]);
		}
	});

	it('gives every operation a response for success, 429 and everything else', () => {
		const incomplete = operations
			.filter(({ responses }) => {
				const statuses = Object.keys(responses);
				return !(
					statuses.some((status) => status.startsWith('2')) &&
					statuses.includes('429') &&
					statuses.includes('default')
				);
			})
			.map(nameOf);
		expect(incomplete).toEqual([]);
	});

	it('has no operationId twice', () => {
		const ids = operations.map(({ operationId }) => operationId);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('declares every path parameter as required, and no other', () => {
		for (const operation of operations) {
			const { path, parameters } = operation;
			const name = nameOf(operation);
			const namesInPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter).sort();
			const declaredNames = parameters.filter((parameter) => parameter.in === 'path');
			expect({ name, declared: declaredNames.map((parameter) => parameter.name).sort() }).toEqual({
				name,
				declared: namesInPath,
			});
			expect(declaredNames.every(({ required }) => required === true)).toBe(true);
		}
	});

	// That each leads somewhere is seen to where contracts are read.
	it('has no unused component', () => {
		const usedReferences = collectReferences(parseContract(file));
		const components = Object.entries(contract.components)
			.filter(([kind]) => kind !== 'securitySchemes')
			.flatMap(([kind, entries]) =>
				Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
			);
		expect(components.filter((component) => !usedReferences.includes(component))).toEqual([]);
	});
});

it('contracts describe the claims of every JWT body', () => {
	const bodies = Object.values(services).flatMap(({ contract: file }) =>
		operationsOf(readContract(file)).flatMap((operation) => {
			const schema = operation.requestBody?.content['application/jwt']?.schema;
			if (!schema) return [];
			const claims = schema['x-jwt-claims']?.type;
			return { name: nameOf(operation), type: schema.type, claims };
		}),
	);
	expect(bodies).not.toEqual([]);
	expect(bodies).toEqual(bodies.map(({ name }) => ({ name, type: 'string', claims: 'object' })));
});

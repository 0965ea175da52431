// Protects the contracts on which nodes, sandbox and reference rely: each operation is described, and each example is valid.
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

const STATUSES_WITHOUT_BODY = new Set(['204', '205', '304']);

/** Creates a function that validates a value against a schema and returns the errors. */
function createValidator() {
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	addFormats(ajv);
	for (const format of ['password', 'int32', 'int64', 'double', 'float']) {
		ajv.addFormat(format, true);
	}
	return (schema: Schema, value: unknown) => {
		const compiled = ajv.compile(schema);
		return compiled(value) ? [] : (compiled.errors ?? []);
	};
}

/** Names an operation in test titles, such as `GET /key/{PK}`. */
const nameOf = ({ method, path }: ContractOperation) => `${method} ${path}`;

function listExamples(where: string, holder: Described): Example[] {
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

function listMedia(operation: ContractOperation) {
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

const listAllExamples = (operations: ContractOperation[]): Example[] =>
	operations.flatMap((operation) => [
		...operation.parameters.flatMap((parameter) =>
			listExamples(`${nameOf(operation)} ${parameter.name}`, parameter),
		),
		...listMedia(operation).flatMap(({ where, media }) => listExamples(where, media)),
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
	const validate = createValidator();

	it('is an OpenAPI 3.1 document with operations', () => {
		expect(contract.openapi).toMatch(/^3\.1\./);
		expect(operations).not.toEqual([]);
	});

	it('has examples that fit their schemas', () => {
		const examples = listAllExamples(operations);
		expect(examples.length).toBeGreaterThan(operations.length);
		const invalidExamples = examples
			.map(({ where, schema, value }) => ({ where, errors: validate(schema, value) }))
			.filter(({ errors }) => errors.length > 0);
		expect(invalidExamples).toEqual([]);
	});

	it('has an example for every parameter, body and response', () => {
		const missingExamples = operations.flatMap((operation) => [
			...operation.parameters
				.filter(
					(parameter) =>
						!('schema' in parameter) ||
						!parameter.description ||
						listExamples('', parameter).length === 0,
				)
				.map((parameter) => `${nameOf(operation)} ${parameter.name}`),
			...listMedia(operation)
				.filter(({ media }) => !('schema' in media) || listExamples('', media).length === 0)
				.map(({ where }) => where),
		]);
		expect(missingExamples).toEqual([]);
	});

	it('describes the body of every response that has one', () => {
		const undescribedResponses = operations
			.filter(({ method }) => method !== 'HEAD')
			.flatMap((operation) =>
				Object.entries(operation.responses)
					.filter(([status, { content }]) => !STATUSES_WITHOUT_BODY.has(status) && !content)
					.map(([status]) => `${nameOf(operation)} ${status}`),
			);
		expect(undescribedResponses).toEqual([]);
	});

	it('gives every operation a summary, a tag and its source (`x-source`)', () => {
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

	it('has a different operationId for each operation', () => {
		const ids = operations.map(({ operationId }) => operationId);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('declares every path parameter as required, and no other', () => {
		for (const operation of operations) {
			const { path, parameters } = operation;
			const name = nameOf(operation);
			const namesInPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter).sort();
			const declaredParameters = parameters.filter((parameter) => parameter.in === 'path');
			expect({
				name,
				declared: declaredParameters.map((parameter) => parameter.name).sort(),
			}).toEqual({
				name,
				declared: namesInPath,
			});
			expect(declaredParameters.every(({ required }) => required === true)).toBe(true);
		}
	});

	// `readContract` rejects references to components that do not exist.
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

import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { ContractOperation, Json, JsonObject } from './documents';
import { contractFiles, operationsOf, pointerTarget, readContract, resolve } from './documents';

interface Example {
	where: string;
	schema: JsonObject;
	value: Json;
}

const bodiless = new Set(['204', '205', '304']);

/** Compiles the contract once, so that schemas may refer to its components. */
function validatorFor(document: JsonObject) {
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	addFormats(ajv);
	for (const format of ['password', 'int32', 'int64', 'double', 'float']) {
		ajv.addFormat(format, true);
	}
	ajv.addSchema({ $id: 'contract', components: document.components });
	// Most answers share a few schemas; compiling each once is what keeps this quick.
	const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
	return (schema: JsonObject, value: Json) => {
		const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/');
		const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as JsonObject);
		compiled.set(text, validate);
		return validate(value) ? [] : (validate.errors ?? []);
	};
}

function examplesOf(document: JsonObject, where: string, holder: JsonObject): Example[] {
	const schema = holder.schema as JsonObject;
	const named = Object.entries((holder.examples ?? {}) as JsonObject).map(([name, example]) => ({
		where: `${where} (${name})`,
		schema,
		value: resolve(document, example).value as Json,
	}));
	return 'example' in holder ? [{ where, schema, value: holder.example! }, ...named] : named;
}

function* mediaOf(document: JsonObject, { name, operation }: ContractOperation) {
	const body = resolve(document, operation.requestBody);
	for (const [type, media] of Object.entries((body.content ?? {}) as JsonObject)) {
		yield { where: `${name} body ${type}`, media: media as JsonObject };
	}
	for (const [status, reference] of Object.entries(operation.responses as JsonObject)) {
		const response = resolve(document, reference);
		for (const [type, media] of Object.entries((response.content ?? {}) as JsonObject)) {
			yield { where: `${name} ${status} ${type}`, media: media as JsonObject };
		}
	}
}

function allExamples(document: JsonObject): Example[] {
	return operationsOf(document).flatMap((operation) => [
		...operation.parameters.flatMap((parameter) =>
			examplesOf(document, `${operation.name} ${String(parameter.name)}`, parameter),
		),
		...[...mediaOf(document, operation)].flatMap(({ where, media }) =>
			examplesOf(document, where, media),
		),
	]);
}

function references(value: Json | undefined, found: string[] = []): string[] {
	if (Array.isArray(value)) value.forEach((entry) => references(entry, found));
	else if (value !== null && typeof value === 'object') {
		for (const [key, entry] of Object.entries(value)) {
			if (key === '$ref' && typeof entry === 'string') found.push(entry);
			else references(entry, found);
		}
	}
	return found;
}

describe.each(contractFiles)('%s', (file) => {
	const document = readContract(file);
	const operations = operationsOf(document);
	const check = validatorFor(document);

	it('has examples that fit their schemas', () => {
		const examples = allExamples(document);
		expect(examples.length).toBeGreaterThan(operations.length);
		const wrong = examples
			.map(({ where, schema, value }) => ({ where, errors: check(schema, value) }))
			.filter(({ errors }) => errors.length > 0);
		expect(wrong).toEqual([]);
	});

	it('has an example for every parameter, body and answer', () => {
		const missing = operations.flatMap((operation) => [
			...operation.parameters
				.filter(
					(parameter) =>
						!parameter.schema ||
						!parameter.description ||
						examplesOf(document, '', parameter).length === 0,
				)
				.map((parameter) => `${operation.name} ${String(parameter.name)}`),
			...[...mediaOf(document, operation)]
				.filter(({ media }) => !media.schema || examplesOf(document, '', media).length === 0)
				.map(({ where }) => where),
		]);
		expect(missing).toEqual([]);
	});

	it('describes the body of every answer that has one', () => {
		const silent = operations
			.filter(({ method }) => method !== 'head')
			.flatMap(({ name, operation }) =>
				Object.entries(operation.responses as JsonObject)
					.filter(([status]) => !bodiless.has(status))
					.filter(([, response]) => !resolve(document, response).content)
					.map(([status]) => `${name} ${status}`),
			);
		expect(silent).toEqual([]);
	});

	it('says of every operation what it is, where it belongs and how sure we are', () => {
		const tags = ((document.tags ?? []) as JsonObject[]).map(({ name }) => name);
		for (const { name, operation } of operations) {
			expect({ name, ...operation }).toMatchObject({
				name,
				operationId: expect.stringMatching(/^[a-z][A-Za-z0-9]*$/) as string,
				summary: expect.stringMatching(/\S/) as string,
				'x-source': expect.stringMatching(/^(seed|public|inferred)$/) as string,
			});
			expect({ name, tags: operation.tags }).toEqual({ name, tags: [expect.any(String)] });
			expect(tags).toContain((operation.tags as string[])[0]);
		}
	});

	it('gives every operation an answer for success, 429 and everything else', () => {
		const incomplete = operations
			.filter(({ operation }) => {
				const statuses = Object.keys(operation.responses as JsonObject);
				return !(
					statuses.some((status) => status.startsWith('2')) &&
					statuses.includes('429') &&
					statuses.includes('default')
				);
			})
			.map(({ name }) => name);
		expect(incomplete).toEqual([]);
	});

	it('has no operationId twice', () => {
		const ids = operations.map(({ operation }) => operation.operationId);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('declares every path parameter as required, and no other', () => {
		for (const { name, path, parameters } of operations) {
			const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter).sort();
			const declared = parameters.filter((parameter) => parameter.in === 'path');
			expect({ name, declared: declared.map((parameter) => parameter.name).sort() }).toEqual({
				name,
				declared: inPath,
			});
			expect(declared.every(({ required }) => required === true)).toBe(true);
		}
	});

	it('describes the claims of every JWT body', () => {
		for (const { name, operation } of operations) {
			const body = resolve(document, operation.requestBody);
			const media = (body.content as JsonObject | undefined)?.['application/jwt'] as JsonObject;
			if (!media) continue;
			const schema = resolve(document, media.schema);
			const claims = resolve(document, schema['x-jwt-claims']);
			expect({ name, type: schema.type, claims: claims.type }).toEqual({
				name,
				type: 'string',
				claims: 'object',
			});
		}
	});

	it('has no reference that leads nowhere and no component that nobody uses', () => {
		const found = [...new Set(references(document))];
		expect(found.filter((reference) => pointerTarget(document, reference) === undefined)).toEqual(
			[],
		);
		const components = Object.entries(document.components as JsonObject)
			.filter(([kind]) => kind !== 'securitySchemes')
			.flatMap(([kind, entries]) =>
				Object.keys(entries as JsonObject).map((name) => `#/components/${kind}/${name}`),
			);
		expect(components.filter((component) => !found.includes(component))).toEqual([]);
	});
});

const { existsSync } = require('node:fs');
const { mkdir, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { operationsOf, readContract } = require('../contracts/read');
const services = require('../contracts/services.json');
const { loadSource } = require('./loadSource');

/** Deepest level of a schema that is read: a schema may contain itself. */
const MAX_DEPTH = 8;

/**
 * Writes the output schema of every operation of a package to the place where n8n expects it, so that the editor shows the
 * fields of a response before the node has run. An operation that transforms its response declares `outputSchema`; the others use
 * the contract.
 */
async function writeSchemas(root, packageFolder, manifest) {
	const dist = path.join(packageFolder, 'dist/nodes');
	for (const { folder, contract } of Object.values(services)) {
		if (!manifest.n8n.nodes.some((file) => file.startsWith(`dist/nodes/${folder}/`))) continue;
		const contractOperations = operationsOf(readContract(contract));
		const { service } = loadSource(root, `nodes/${folder}/service.ts`);
		for (const [resource, { operations }] of Object.entries(service.resources)) {
			const schemaFolder = path.join(dist, folder, '__schema__', 'v1.0.0', resource);
			await mkdir(schemaFolder, { recursive: true });
			for (const [operation, row] of Object.entries(operations)) {
				await writeSchema(
					path.join(schemaFolder, `${operation}.json`),
					createOutputSchema(row, contractOperations),
				);
			}
		}
		const declared = readTriggerSchema(root, `nodes/${folder}`);
		if (!declared) continue;
		// n8n reads the output schema of a node without operations from this file.
		const file = path.join(dist, folder, '__schema__', 'v1.0.0', 'output.json');
		await writeSchema(file, createTriggerSchema(declared, contractOperations));
	}
}

/**
 * Returns the declared item fields of a service's trigger: `outputSchema` of its definition if it follows lists, `shape` if
 * it watches IDs.
 */
function readTriggerSchema(root, folder) {
	const file = `${folder}/trigger/definition.ts`;
	if (!existsSync(path.join(root, file))) return undefined;
	const exported = Object.values(loadSource(root, file));
	const { outputSchema: declared, shape } = exported.find(({ service }) => service);
	return declared ?? { addedFields: shape.outputSchema, returnedBy: [] };
}

async function writeSchema(file, schema) {
	if (schema) await writeFile(file, `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`);
}

/**
 * Returns the schema of a trigger's items: the fields that the trigger adds, and all fields of the records that it follows.
 */
function createTriggerSchema({ addedFields, returnedBy }, contractOperations) {
	const records = returnedBy.map((row) => createOutputSchema(row, contractOperations)?.properties);
	return {
		type: 'object',
		properties: Object.assign(
			mapValues(addedFields, (type) => ({ type })),
			...records,
		),
	};
}

/** Returns the schema of one output item; undefined where neither the row nor the contract describes it. */
function createOutputSchema(row, contractOperations) {
	if (row.outputSchema) {
		return { type: 'object', properties: mapValues(row.outputSchema, (type) => ({ type })) };
	}
	if (!row.request || row.output || row.runBatch) return undefined;
	const operation = contractOperations.find(
		({ method, path: route }) => method === row.request.method && route === row.request.path,
	);
	if (!operation) throw new Error(`${row.request.method} ${row.request.path} is in no contract`);
	const itemSchema = readItemSchema(operation);
	if (!itemSchema?.properties) return undefined;
	if (!row.simplify) return itemSchema;
	const shownNames = row.simplify.filter((name) => name in itemSchema.properties);
	return {
		...itemSchema,
		properties: Object.fromEntries(shownNames.map((name) => [name, itemSchema.properties[name]])),
	};
}

/** Returns the schema of one item in a successful response of the contract. */
function readItemSchema({ responses }) {
	const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
	const content = success?.content?.['application/json'];
	return content && unwrapItemSchema(toPreview(content.schema));
}

/** Returns the names of all fields, nested ones included, in successful responses of an operation. */
function listResponseFields({ responses }) {
	const successfulResponses = Object.entries(responses).filter(([status]) =>
		status.startsWith('2'),
	);
	return successfulResponses.flatMap(([, { content }]) =>
		Object.values(content ?? {}).flatMap(({ schema }) => listPropertyNames(schema)),
	);
}

function listPropertyNames(schema, depth = 0) {
	if (depth > MAX_DEPTH || !schema) return [];
	const { oneOf = [], anyOf = [], allOf = [], items, properties = {} } = schema;
	const nestedSchemas = [...oneOf, ...anyOf, ...allOf, items, ...Object.values(properties)];
	return [
		...Object.keys(properties),
		...nestedSchemas.flatMap((nested) => listPropertyNames(nested, depth + 1)),
	];
}

/** Returns the schema of a list's entries, also for a list wrapped in `data`; any other schema unchanged. */
function unwrapItemSchema(schema) {
	if (schema.items) return unwrapItemSchema(schema.items);
	if (schema.properties?.data?.items) return unwrapItemSchema(schema.properties.data.items);
	return schema;
}

/** Reduces a schema to what n8n's preview reads: types, properties and items. Of alternatives it takes the first. */
function toPreview(schema, depth = 0) {
	if (depth > MAX_DEPTH || !schema) return { type: 'string' };
	const alternatives = schema.oneOf ?? schema.anyOf;
	if (alternatives) return toPreview(alternatives[0], depth + 1);
	if (schema.allOf) {
		const parts = schema.allOf.map((part) => toPreview(part, depth + 1));
		return {
			type: 'object',
			properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
		};
	}
	const type = [schema.type ?? 'object'].flat().find((name) => name !== 'null');
	if (type === 'array') return { type, items: toPreview(schema.items ?? {}, depth + 1) };
	if (type !== 'object') return { type };
	return {
		type,
		properties: mapValues(schema.properties ?? {}, (entry) => toPreview(entry, depth + 1)),
	};
}

const mapValues = (object, convert) =>
	Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value)]));

module.exports = { createOutputSchema, createTriggerSchema, listResponseFields, writeSchemas };

const { existsSync } = require('node:fs');
const { mkdir, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { operationsOf, readContract } = require('../contracts/read');
const services = require('../contracts/services.json');
const { loadSource } = require('./source');

/**
 * Writes the output schema of every operation of a package to where n8n looks for it, so that the editor shows the fields of an answer
 * before the node has run. An operation that shapes its answer says what it yields; the others yield what the contract says.
 */
async function writeSchemas(root, place, manifest) {
	const dist = path.join(place, 'dist/nodes');
	for (const { folder, contract } of Object.values(services)) {
		if (!manifest.n8n.nodes.some((file) => file.startsWith(`dist/nodes/${folder}/`))) continue;
		const known = operationsOf(readContract(contract));
		const { service } = loadSource(root, `nodes/${folder}/service.ts`);
		for (const [resource, { operations }] of Object.entries(service.resources)) {
			const into = path.join(dist, folder, '__schema__', 'v1.0.0', resource);
			await mkdir(into, { recursive: true });
			for (const [operation, row] of Object.entries(operations)) {
				await write(path.join(into, `${operation}.json`), outputSchema(row, known));
			}
		}
		const yields = triggerYields(root, `nodes/${folder}`);
		if (!yields) continue;
		// Where n8n looks for the output of a node that has no operations.
		const file = path.join(dist, folder, '__schema__', 'v1.0.0', 'output.json');
		await write(file, triggerSchema(yields, known));
	}
}

/** What the trigger of a service says of its items: one that follows lists in its plan, one that watches ids by its shape. */
function triggerYields(root, folder) {
	const plan = `${folder}/trigger/plan.ts`;
	if (existsSync(path.join(root, plan))) return loadSource(root, plan).followable.yields;
	const trigger = `${folder}/trigger.ts`;
	if (!existsSync(path.join(root, trigger))) return undefined;
	const { shape } = Object.values(loadSource(root, trigger)).find((value) => value.shape);
	return { added: shape.yields, as: [] };
}

async function write(file, schema) {
	if (schema) await writeFile(file, `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`);
}

/** The schema of what a trigger starts with: what it adds, and all that the records may hold that it follows. */
function triggerSchema({ added, as }, contract) {
	const records = as.map((row) => outputSchema(row, contract)?.properties);
	return {
		type: 'object',
		properties: Object.assign(
			mapValues(added, (type) => ({ type })),
			...records,
		),
	};
}

/** The schema of one output item, or nothing where neither the row nor the operations of the contract tell. */
function outputSchema(row, contract) {
	if (row.yields) {
		return { type: 'object', properties: mapValues(row.yields, (type) => ({ type })) };
	}
	if (!row.request || row.output || row.runBatch) return undefined;
	const operation = contract.find(
		({ method, path: route }) => method === row.request.method && route === row.request.path,
	);
	if (!operation) throw new Error(`${row.request.method} ${row.request.path} is in no contract`);
	const item = answerItem(operation);
	if (!item?.properties) return undefined;
	if (!row.simplify) return item;
	const kept = row.simplify.filter((name) => name in item.properties);
	return {
		...item,
		properties: Object.fromEntries(kept.map((name) => [name, item.properties[name]])),
	};
}

/** What one item of a good answer looks like, as the contract has it. */
function answerItem({ responses }) {
	const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
	const content = success?.content?.['application/json'];
	return content && asItem(plain(content.schema));
}

/** The names of all fields in good answers to an operation of a contract, also of those that are wrapped in others. */
function answerFields({ responses }) {
	const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
	return good.flatMap(([, { content }]) =>
		Object.values(content ?? {}).flatMap(({ schema }) => namesIn(schema)),
	);
}

function namesIn(schema, depth = 0) {
	if (depth > 8 || !schema) return [];
	const { oneOf = [], anyOf = [], allOf = [], items, properties = {} } = schema;
	const inside = [...oneOf, ...anyOf, ...allOf, items, ...Object.values(properties)];
	return [...Object.keys(properties), ...inside.flatMap((part) => namesIn(part, depth + 1))];
}

/** What one item looks like: of a list its entries, of a wrapped list likewise, of alternatives the first that tells. */
function asItem(schema) {
	if (schema.items) return asItem(schema.items);
	if (schema.properties?.data?.items) return asItem(schema.properties.data.items);
	return schema;
}

/** Reduces a schema to what n8n's preview reads: types, properties and items. */
function plain(schema, depth = 0) {
	if (depth > 8 || !schema) return { type: 'string' };
	const alternatives = schema.oneOf ?? schema.anyOf;
	if (alternatives) return plain(alternatives[0], depth + 1);
	if (schema.allOf) {
		const parts = schema.allOf.map((part) => plain(part, depth + 1));
		return {
			type: 'object',
			properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
		};
	}
	const type = [schema.type ?? 'object'].flat().find((name) => name !== 'null');
	if (type === 'array') return { type, items: plain(schema.items ?? {}, depth + 1) };
	if (type !== 'object') return { type };
	return {
		type,
		properties: mapValues(schema.properties ?? {}, (entry) => plain(entry, depth + 1)),
	};
}

const mapValues = (object, map) =>
	Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

module.exports = { answerFields, outputSchema, triggerSchema, writeSchemas };

const { mkdir, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { operationsOf, readContract } = require('../contracts/read');
const services = require('../contracts/services.json');

/**
 * Writes the output schema of every operation to where n8n looks for it, so that the editor shows the fields of an answer
 * before the node has run. An operation that shapes its answer says what it yields; the others yield what the contract says.
 */
async function writeSchemas(dist) {
	for (const { folder, contract } of Object.values(services)) {
		const known = operationsOf(readContract(contract));
		const { service } = require(path.resolve(dist, folder, 'service.js'));
		for (const [resource, { operations }] of Object.entries(service.resources)) {
			const into = path.join(dist, folder, '__schema__', 'v1.0.0', resource);
			await mkdir(into, { recursive: true });
			for (const [operation, row] of Object.entries(operations)) {
				const schema = outputSchema(row, known);
				if (!schema) continue;
				await writeFile(
					path.join(into, `${operation}.json`),
					`${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`,
				);
			}
		}
	}
}

/** The schema of one output item, or nothing where neither the row nor the operations of the contract tell. */
function outputSchema(row, contract) {
	if (row.yields) {
		return { type: 'object', properties: mapValues(row.yields, (type) => ({ type })) };
	}
	if (!row.request || row.output || row.together) return undefined;
	const operation = contract.find(
		({ method, path: route }) => method === row.request.method && route === row.request.path,
	);
	if (!operation) throw new Error(`${row.request.method} ${row.request.path} is in no contract`);
	const success = Object.entries(operation.responses).find(([status]) =>
		status.startsWith('2'),
	)?.[1];
	const content = success?.content?.['application/json'];
	const item = content && asItem(plain(content.schema));
	if (!item?.properties) return undefined;
	if (!row.simplify) return item;
	const kept = row.simplify.filter((name) => name in item.properties);
	return {
		...item,
		properties: Object.fromEntries(kept.map((name) => [name, item.properties[name]])),
	};
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

module.exports = { outputSchema, writeSchemas };

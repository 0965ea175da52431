// Reads contracts for the sandbox, the scripts and the tests. Plain JavaScript, because the build reads them too.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { parse } = require('yaml');

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Reads a contract and leaves its references unresolved. `file` is a file name in this folder or an absolute path. */
function parseContract(file) {
	return parse(readFileSync(path.resolve(__dirname, file), 'utf8'), { maxAliasCount: -1 });
}

/** Reads a contract and resolves all references. */
function readContract(file) {
	return resolveReferences(parseContract(file));
}

/** Resolves each reference target once; all references to it share the same object. */
function resolveReferences(document) {
	const resolved = new Map();
	const open = new Set();
	const resolve = (value) => {
		if (typeof value !== 'object' || value === null) return value;
		if (resolved.has(value)) return resolved.get(value);
		if (open.has(value)) throw new Error(`${value.$ref ?? 'A part'} of the contract holds itself`);
		open.add(value);
		const whole =
			typeof value.$ref === 'string'
				? resolve(targetOf(document, value.$ref))
				: Array.isArray(value)
					? value.map(resolve)
					: Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
		open.delete(value);
		resolved.set(value, whole);
		return whole;
	};
	return resolve(document);
}

/** Returns the target of a reference such as `#/components/schemas/Key`. */
function targetOf(document, reference) {
	const steps = reference
		.split('/')
		.slice(1)
		.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
	const target = steps.reduce((at, step) => at?.[step], document);
	if (!reference.startsWith('#/') || target === undefined) {
		throw new Error(`${reference} leads nowhere in the contract`);
	}
	return target;
}

/** Returns all operations of a contract in document order, each with the parameters of its path item. */
function operationsOf(contract) {
	return Object.entries(contract.paths).flatMap(([route, item]) =>
		Object.entries(item)
			.filter(([method]) => methods.includes(method))
			.map(([method, operation]) => ({
				...operation,
				method: method.toUpperCase(),
				path: route,
				parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])],
			})),
	);
}

module.exports = { operationsOf, parseContract, readContract };

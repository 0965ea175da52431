// Reads contracts, for everybody: the sandbox, the scripts and the tests. Plain JavaScript, since the build reads them too.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { parse } = require('yaml');

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** A contract with its references as they are written, by its file name here or an absolute path. */
function parseContract(file) {
	return parse(readFileSync(path.resolve(__dirname, file), 'utf8'), { maxAliasCount: -1 });
}

/** A contract with what they lead to in place of all references. */
function readContract(file) {
	return resolveReferences(parseContract(file));
}

/** What is referred to twice is resolved once, and is the same object at both places. */
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

/** What a reference such as `#/components/schemas/Key` leads to. */
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

/** All operations of a contract in the order in which they are written, each with everything that applies to it. */
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

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** One operation of a contract with everything that applies to it. */
export interface ContractOperation {
	/** Such as `GET /key/{PK}`. */
	name: string;
	method: string;
	path: string;
	operation: JsonObject;
	parameters: JsonObject[];
}

const folder = join(__dirname, '..', '..', 'contracts');
const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** The file names of all contracts. */
export const contractFiles = readdirSync(folder)
	.filter((file) => file.endsWith('.yaml'))
	.sort();

/** Reads a contract. */
export function readContract(file: string): JsonObject {
	return parse(readFileSync(join(folder, file), 'utf8')) as JsonObject;
}

/** Follows references within the document until something else than a reference is found. */
export function resolve(document: JsonObject, value: Json | undefined): JsonObject {
	let found = value as JsonObject | undefined;
	for (let depth = 0; found && typeof found.$ref === 'string'; depth++) {
		if (depth > 20) throw new Error(`circular reference ${found.$ref}`);
		const reference: string = found.$ref;
		found = pointerTarget(document, reference) as JsonObject | undefined;
		if (found === undefined) throw new Error(`${reference} leads nowhere`);
	}
	return found ?? {};
}

/** What a reference such as `#/components/schemas/Key` points to. */
export function pointerTarget(document: JsonObject, reference: string): Json | undefined {
	return reference
		.replace(/^#\//, '')
		.split('/')
		.map((part) => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~'))
		.reduce<Json | undefined>((at, part) => (at as JsonObject | undefined)?.[part], document);
}

/** All operations of a contract, in the order in which they are written. */
export function operationsOf(document: JsonObject): ContractOperation[] {
	return Object.entries(document.paths as JsonObject).flatMap(([path, item]) =>
		Object.entries(item as JsonObject)
			.filter(([method]) => methods.has(method))
			.map(([method, value]) => {
				const operation = value as JsonObject;
				const shared = ((item as JsonObject).parameters ?? []) as Json[];
				const own = (operation.parameters ?? []) as Json[];
				return {
					name: `${method.toUpperCase()} ${path}`,
					method,
					path,
					operation,
					parameters: [...shared, ...own].map((parameter) => resolve(document, parameter)),
				};
			}),
	);
}

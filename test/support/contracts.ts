import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(__dirname, '../../contracts');

/** A schema, as far as tests look into it. */
export interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	enum?: unknown[];
	additionalProperties?: boolean | Schema;
	oneOf?: Schema[];
	anyOf?: Schema[];
	allOf?: Schema[];
	'x-jwt-claims'?: Schema;
	[key: string]: unknown;
}

/** One operation of a contract, with every reference resolved. */
export interface ContractOperation {
	operationId: string;
	method: string;
	path: string;
	tag: string;
	parameters: Array<{ name: string; in: string; required?: boolean; schema: Schema }>;
	body?: Schema;
	bodyRequired: boolean;
}

/** The contracts' names, without their ending. */
export const contractNames = readdirSync(folder)
	.filter((file) => file.endsWith('.yaml'))
	.map((file) => file.replace('.yaml', ''))
	.sort();

/** Reads the operations of one contract. */
export function readContract(name: string): ContractOperation[] {
	const document = parse(readFileSync(join(folder, `${name}.yaml`), 'utf8'), { maxAliasCount: -1 });
	const resolve = (value: unknown, depth = 0): never => {
		if (depth > 12 || typeof value !== 'object' || value === null) return value as never;
		if (Array.isArray(value)) return value.map((entry) => resolve(entry, depth + 1)) as never;
		if ('$ref' in value && typeof value.$ref === 'string') {
			const target = value.$ref
				.slice(2)
				.split('/')
				.reduce((at: Record<string, unknown>, key) => at[key] as never, document);
			return resolve(target, depth + 1);
		}
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [key, resolve(entry, depth + 1)]),
		) as never;
	};
	const operations: ContractOperation[] = [];
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a contract is checked by the linter, not here
	for (const [path, item] of Object.entries<Record<string, any>>(document.paths)) {
		for (const method of ['get', 'head', 'post', 'put', 'patch', 'delete']) {
			const raw = item[method];
			if (!raw) continue;
			const requestBody = resolve(raw.requestBody) as
				{ required?: boolean; content: Record<string, { schema: Schema }> } | undefined;
			operations.push({
				operationId: raw.operationId,
				method: method.toUpperCase(),
				path,
				tag: raw.tags[0],
				parameters: resolve([...(item.parameters ?? []), ...(raw.parameters ?? [])]),
				body: requestBody && Object.values(requestBody.content)[0]!.schema,
				bodyRequired: requestBody?.required === true,
			});
		}
	}
	return operations;
}

/** A JSON Schema, reduced to the keywords that this project reads. */
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

/** A schema with its examples. */
export interface Described {
	schema: Schema;
	example?: unknown;
	examples?: Record<string, { value: unknown }>;
}

export interface Parameter extends Described {
	name: string;
	in: string;
	required?: boolean;
	description?: string;
}

/** Described contents by media type. */
export type Content = Record<string, Described>;

/** One operation of a contract, including what its path item declares. */
export interface ContractOperation {
	operationId: string;
	/** Upper case, such as `GET`. */
	method: string;
	/** The path template, such as `/key/{PK}`. */
	path: string;
	summary: string;
	tags: string[];
	/** Includes the parameters of the path item. */
	parameters: Parameter[];
	requestBody?: { required?: boolean; content: Content };
	/** By status code. */
	responses: Record<string, { description: string; content?: Content }>;
	'x-source': string;
}

/** A contract with all references resolved. All callers share the same objects and must not modify them. */
export interface Contract {
	openapi: string;
	info: { title: string; version: string };
	tags: Array<{ name: string }>;
	paths: Record<string, object>;
	components: {
		schemas: Record<string, Schema>;
		securitySchemes?: Record<string, { type: string; in?: string; name?: string }>;
	};
}

/** Reads a contract and resolves all references. `file` is a file name in this folder or an absolute path. */
export function readContract(file: string): Contract;

/** Reads a contract and leaves its references unresolved. */
export function parseContract(file: string): object;

/** Returns all operations of a contract in document order. */
export function operationsOf(contract: Contract): ContractOperation[];

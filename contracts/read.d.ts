/** A schema, as far as anybody here looks into it. */
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

/** A schema with examples of it. */
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

/** By media type. */
export type Content = Record<string, Described>;

/** One operation of a contract, with everything that applies to it. */
export interface ContractOperation {
	operationId: string;
	/** In capitals. */
	method: string;
	/** The path template, such as `/key/{PK}`. */
	path: string;
	summary: string;
	tags: string[];
	/** Those of the path as well. */
	parameters: Parameter[];
	requestBody?: { required?: boolean; content: Content };
	/** By status. */
	responses: Record<string, { description: string; content?: Content }>;
	'x-source': string;
}

/** A contract without references. Shared by whoever reads it: nobody changes it. */
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

/** A contract with what they lead to in place of all references, by its file name here or an absolute path. */
export function readContract(file: string): Contract;

/** The same with its references as they are written. */
export function parseContract(file: string): object;

/** All operations of a contract, in the order in which they are written. */
export function operationsOf(contract: Contract): ContractOperation[];

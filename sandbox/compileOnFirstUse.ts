import Ajv from 'ajv';
import type { ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';

const ajv = new Ajv({ useDefaults: true });

/**
 * Compiles the schema of a route when the route is first called. Fastify compiles all schemas at the start, which takes a
 * third of the start of a sandbox.
 */
export const compileOnFirstUse: FastifySchemaCompiler<object> = ({ schema }) => {
	let validate: ValidateFunction | undefined;
	return (value: unknown) => {
		validate ??= ajv.compile(schema);
		// Fastify takes a returned list of violations for the reason of the rejection.
		return validate(value) || { error: validate.errors ?? [] };
	};
};

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

import table from '../contracts/services.json';
import type { tooLarge } from './body';
import { readBody } from './body';
import type { ContractOperation } from './contract';
import { createPipeline } from './pipeline';
import type { Incoming, PipelineContext } from './pipeline';
import { loggedPath, loggedQuery, safePath } from './redact';
import type { LoggedRequest } from './requestLog';
import { sendWire, toWire } from './send';
import type { ServiceDefinition } from './service';

/** Registers a route for every operation of the service's contract. Throws if handlers and contract differ. */
export function mountService(
	server: FastifyInstance,
	service: ServiceDefinition,
	operations: ContractOperation[],
	context: PipelineContext,
): void {
	const { world } = context;
	const { sandbox: prefix } = table[service.name];
	checkHandlers(service, operations);
	const run = createPipeline(service, context);

	void server.register(
		async (scope) => {
			scope.removeAllContentTypeParsers();
			scope.addContentTypeParser('*', (_request: FastifyRequest, payload: Readable) =>
				readBody(payload),
			);

			const record = (request: FastifyRequest, operation: ContractOperation) => {
				const entry: LoggedRequest = {
					at: world.now(),
					service: service.name,
					operationId: operation.operationId,
					method: request.method,
					path: prefix + loggedPath(operation.path, request.params as object),
					query: loggedQuery(request.query as object),
				};
				world.requestLog.add(entry);
				return entry;
			};

			for (const operation of operations) {
				scope.route({
					method: operation.method,
					url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
					handler: async (request, reply) => {
						const entry = record(request, operation);
						const outgoing = await run(operation, await toIncoming(request, service));
						entry.status = outgoing === 'drop' ? 0 : outgoing.status;
						return sendWire(reply, outgoing);
					},
					// Handles only errors of the framework itself: an invalid content type, or a body that ends too early.
					errorHandler: async (error: FastifyError, request, reply) => {
						const known = error.statusCode === 415;
						const response = service.errorBody(
							known ? 415 : 400,
							known ? 'media-type' : 'contract',
							known ? 'The content type is not valid' : 'The body could not be read',
							{ operationId: operation.operationId, contentType: request.headers['content-type'] },
						);
						record(request, operation).status = response.status;
						return sendWire(reply, toWire(response));
					},
				});
			}

			const unknown = async (request: FastifyRequest, reply: FastifyReply) => {
				const [path] = request.url.slice(prefix.length).split('?');
				const methods = operations
					.filter((operation) => fits(operation.path, path!))
					.map(({ method }) => method);
				const response =
					methods.length > 0
						? service.errorBody(405, 'method', `${request.method} is not possible here`)
						: service.errorBody(404, 'unknown-route', 'There is nothing at this path');
				if (methods.length > 0)
					response.headers = { allow: methods.join(', '), ...response.headers };
				world.requestLog.add({
					at: world.now(),
					service: service.name,
					method: request.method,
					path: prefix + safePath(path!),
					query: {},
					status: response.status,
				});
				return sendWire(reply, toWire(response));
			};
			scope.setNotFoundHandler(unknown);
			// Known operations have their own error handler above, so only requests without a route arrive here.
			scope.setErrorHandler((_error, request, reply) => unknown(request, reply));
		},
		{ prefix },
	);
}

async function toIncoming(
	request: FastifyRequest,
	{ lenient }: ServiceDefinition,
): Promise<Incoming> {
	let { body } = request as { body?: string | typeof tooLarge };
	// Fastify does not read the body of a GET.
	if (lenient?.forms && request.method === 'GET') body = await readBody(request.raw);
	return {
		params: { ...(request.params as Record<string, string>) },
		query: { ...(request.query as Record<string, string>) },
		headers: request.headers as Incoming['headers'],
		body: body === '' ? undefined : body,
	};
}

function fits(template: string, path: string): boolean {
	const parts = path.split('/');
	const pattern = template.split('/');
	return (
		parts.length === pattern.length &&
		pattern.every((part, index) => part.startsWith('{') || part === parts[index])
	);
}

function checkHandlers(service: ServiceDefinition, operations: ContractOperation[]): void {
	const known = new Set(operations.map(({ operationId }) => operationId));
	const missing = [...known].filter((id) => !Object.hasOwn(service.handlers, id));
	const extra = Object.keys(service.handlers).filter((id) => !known.has(id));
	if (missing.length + extra.length === 0) return;
	throw new Error(
		`${service.name} and its contract differ: ` +
			`without handler [${missing.join(', ')}], not in the contract [${extra.join(', ')}]`,
	);
}

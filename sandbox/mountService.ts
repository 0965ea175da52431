import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

import serviceTable from '../contracts/services.json';
import type { ContractOperation } from './contract';
import { namePlugin } from './namePlugin';
import { createPipeline } from './pipeline';
import type { IncomingRequest, PipelineContext } from './pipeline';
import type { tooLarge } from './readBody';
import { readBody } from './readBody';
import { redactPath, redactQuery, redactUnknownPath } from './redact';
import type { LoggedRequest } from './requestLog';
import { sendResponse, serializeResponse } from './sendResponse';
import type { ServiceDefinition } from './service';

/** Registers a route for every operation of the service's contract. Throws if handlers and contract differ. */
export function mountService(
	server: FastifyInstance,
	service: ServiceDefinition,
	operations: ContractOperation[],
	context: PipelineContext,
): void {
	const { world } = context;
	const { sandbox: prefix } = serviceTable[service.name];
	checkHandlers(service, operations);
	const run = createPipeline(service, context);

	void server.register(
		namePlugin(service.name, async (scope) => {
			scope.removeAllContentTypeParsers();
			scope.addContentTypeParser('*', (_request: FastifyRequest, payload: Readable) =>
				readBody(payload),
			);

			const logRequest = (request: FastifyRequest, operation: ContractOperation) => {
				const entry: LoggedRequest = {
					at: world.now(),
					service: service.name,
					operationId: operation.operationId,
					method: request.method,
					path: prefix + redactPath(operation.path, request.params as object),
					query: redactQuery(request.query as object),
				};
				world.requestLog.add(entry);
				return entry;
			};

			for (const operation of operations) {
				scope.route({
					method: operation.method,
					url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
					handler: async (request, reply) => {
						const entry = logRequest(request, operation);
						const response = await run(operation, await toIncoming(request, service));
						entry.status = response === 'drop' ? 0 : response.status;
						return sendResponse(reply, response);
					},
					// Handles only errors of the framework itself: an invalid content type, or a body that ends too early.
					errorHandler: async (error: FastifyError, request, reply) => {
						const isMediaTypeError = error.statusCode === 415;
						const response = service.errorBody(
							isMediaTypeError ? 415 : 400,
							isMediaTypeError ? 'media-type' : 'contract',
							isMediaTypeError ? 'The content type is not valid' : 'The body could not be read',
							{ operationId: operation.operationId, contentType: request.headers['content-type'] },
						);
						logRequest(request, operation).status = response.status;
						return sendResponse(reply, serializeResponse(response));
					},
				});
			}

			const respondToUnknownRoute = async (request: FastifyRequest, reply: FastifyReply) => {
				const [path] = request.url.slice(prefix.length).split('?');
				const methods = operations
					.filter((operation) => matchesTemplate(operation.path, path!))
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
					path: prefix + redactUnknownPath(path!),
					query: {},
					status: response.status,
				});
				return sendResponse(reply, serializeResponse(response));
			};
			scope.setNotFoundHandler(respondToUnknownRoute);
			// Known operations have their own error handler above, so only requests without a route arrive here.
			scope.setErrorHandler((_error, request, reply) => respondToUnknownRoute(request, reply));
		}),
		{ prefix },
	);
}

async function toIncoming(
	request: FastifyRequest,
	{ lenient }: ServiceDefinition,
): Promise<IncomingRequest> {
	let { body } = request as { body?: string | typeof tooLarge };
	// Fastify does not read the body of a GET.
	if (lenient?.forms && request.method === 'GET') body = await readBody(request.raw);
	return {
		params: { ...(request.params as Record<string, string>) },
		query: { ...(request.query as Record<string, string>) },
		headers: request.headers as IncomingRequest['headers'],
		body: body === '' ? undefined : body,
	};
}

function matchesTemplate(template: string, path: string): boolean {
	const segments = path.split('/');
	const templateSegments = template.split('/');
	return (
		segments.length === templateSegments.length &&
		templateSegments.every((part, index) => part.startsWith('{') || part === segments[index])
	);
}

function checkHandlers(service: ServiceDefinition, operations: ContractOperation[]): void {
	const operationIds = new Set(operations.map(({ operationId }) => operationId));
	const missing = [...operationIds].filter((id) => !Object.hasOwn(service.handlers, id));
	const extra = Object.keys(service.handlers).filter((id) => !operationIds.has(id));
	if (missing.length + extra.length === 0) return;
	throw new Error(
		`${service.name} and its contract differ: ` +
			`without handler [${missing.join(', ')}], not in the contract [${extra.join(', ')}]`,
	);
}

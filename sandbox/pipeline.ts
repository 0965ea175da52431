import type { CheckedRequest, ContractOperation } from './contract';
import { createRetryAfterHeader, applyDelay } from './faultRules';
import type { FaultRules, FaultRule } from './faultRules';
import { applyForm } from './lenientMode';
import { FORM_MEDIA_TYPE } from './parseForm';
import { tooLarge } from './readBody';
import { serializeResponse } from './sendResponse';
import type { ResponseOrDrop, SerializedResponse } from './sendResponse';
import type {
	HandlerResponse,
	ServiceRequest,
	ErrorKind,
	ServiceDefinition,
	World,
} from './service';

/** The sandbox's parts that a service uses. */
export interface PipelineContext {
	world: World;
	faultRules: FaultRules;
	/** Whether requests are rejected for parts that the contract does not define. */
	strict: boolean;
	log?: (line: string) => void;
}

/** A request before any check. */
export interface IncomingRequest {
	params: Record<string, unknown>;
	query: Record<string, unknown>;
	headers: Record<string, string | undefined>;
	body: string | typeof tooLarge | undefined;
}

const htmlPage =
	'<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>' +
	'<body><center><h1>502 Bad Gateway</h1></center></body></html>\n';

/**
 * Processes a request of a service: injected faults, authorization, validation by the contract, the handler, and
 * validation of its response. Never throws.
 */
export function createPipeline(service: ServiceDefinition, context: PipelineContext) {
	const { world, faultRules, strict, log } = context;

	const recordInternalError = (
		operation: ContractOperation,
		message: string,
		errors?: string[],
	): HandlerResponse => {
		const { operationId } = operation;
		world.internalErrors.push({
			at: world.now(),
			service: service.name,
			operationId,
			message,
			errors,
		});
		if (world.internalErrors.length > 1000) world.internalErrors.shift();
		log?.(`FAULT ${service.name} ${operationId}: ${[message, ...(errors ?? [])].join('; ')}`);
		return service.errorBody(500, 'internal', message, { operationId, violations: errors });
	};

	const createErrorResponse = (
		operation: ContractOperation,
		status: number,
		kind: ErrorKind,
		message: string,
		details: object = {},
	) => {
		const { operationId } = operation;
		return service.errorBody(status, kind, message, { operationId, ...details });
	};

	/** Checks authorization and contract. Returns the request for the handler, or a response if it is rejected. */
	const checkRequest = (
		operation: ContractOperation,
		incoming: IncomingRequest,
	): HandlerResponse | ServiceRequest => {
		const { params, query, body } = incoming;
		const { lenient } = service;
		const headers = lenient?.keyHeaders?.(incoming.headers, query) ?? incoming.headers;
		const rejection = service.authorize?.(headers);
		if (rejection) return rejection;
		if (body === tooLarge)
			return createErrorResponse(operation, 413, 'too-large', 'The body is over 1 MB');

		const request: CheckedRequest = { path: params, query, header: headers };
		const contentType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
		let parsedBody: unknown;
		if (lenient?.forms && contentType === FORM_MEDIA_TYPE && body !== undefined) {
			applyForm(operation, request, body);
			parsedBody = request.requestBody;
		} else if (operation.accepts.length > 0) {
			if (body === undefined && operation.isBodyRequired) {
				return createErrorResponse(operation, 400, 'contract', 'A body is required', {
					violations: ['body is required'],
					fields: ['body'],
				});
			}
			if (body !== undefined) {
				if (!operation.accepts.includes(contentType)) {
					const message = `The body must be ${operation.accepts.join(' or ')}`;
					return createErrorResponse(operation, 415, 'media-type', message, { contentType });
				}
				parsedBody = body;
				if (contentType === 'application/json') {
					try {
						parsedBody = JSON.parse(body);
					} catch {
						return createErrorResponse(operation, 400, 'bad-json', 'The body is not valid JSON');
					}
					request.requestBody = parsedBody;
				} else {
					request.text = { mediaType: contentType, value: body };
				}
			}
		}
		if (!strict) operation.dropUnknownProperties(request);
		const violations = operation.checkRequest(request);
		if (violations.length > 0) {
			const messages = [...new Set(violations.map(({ description }) => description))];
			return createErrorResponse(operation, 400, 'contract', messages.join('; '), {
				violations: messages,
				fields: [...new Set(violations.map(({ field }) => field))],
			});
		}
		const { operationId } = operation;
		return { operationId, params, query, headers, body: parsedBody, now: world.now() };
	};

	const processRequest = async (
		operation: ContractOperation,
		incoming: IncomingRequest,
	): Promise<HandlerResponse> => {
		let response: HandlerResponse;
		let isFromHandler = false;
		try {
			const requestOrRejection = checkRequest(operation, incoming);
			isFromHandler = !('status' in requestOrRejection);
			response =
				'status' in requestOrRejection
					? requestOrRejection
					: await service.handlers[operation.operationId]!(requestOrRejection);
		} catch (error) {
			return recordInternalError(operation, `The sandbox failed: ${(error as Error).message}`);
		}
		if (operation.method === 'HEAD') response = { ...response, body: undefined };
		// The contract may not define the status of a rejection that did not come from a handler.
		if (!isFromHandler && !operation.definesStatus(response.status)) return response;
		const errors = operation.checkResponse(response);
		if (errors.length === 0) return response;
		return recordInternalError(operation, 'The sandbox was about to break its contract', errors);
	};

	const createFaultResponse = (
		operation: ContractOperation,
		rule: FaultRule,
	): ResponseOrDrop | undefined => {
		switch (rule.kind) {
			case '429':
				return withRetryAfter(
					createErrorResponse(operation, 429, 'rate-limit', 'Too many requests'),
					rule,
				);
			case '500':
				return withRetryAfter(
					createErrorResponse(operation, 500, 'internal', 'Something went wrong'),
					rule,
				);
			case '503':
				return withRetryAfter(
					createErrorResponse(operation, 503, 'unavailable', 'Down for maintenance'),
					rule,
				);
			case 'drop':
				return 'drop';
			case 'html':
				return { status: 502, text: htmlPage, contentType: 'text/html; charset=utf-8' };
			default:
				return undefined;
		}
	};

	return async (
		operation: ContractOperation,
		incoming: IncomingRequest,
	): Promise<ResponseOrDrop> => {
		const rule = faultRules.take(service.name, operation.operationId);
		if (!rule) return serializeResponse(await processRequest(operation, incoming));
		await applyDelay(rule);
		const faultResponse = createFaultResponse(operation, rule);
		if (faultResponse && !rule.afterExecution) return faultResponse;
		const response = serializeResponse(await processRequest(operation, incoming));
		return faultResponse ?? distortResponse(response, rule);
	};
}

function withRetryAfter(response: HandlerResponse, rule: FaultRule): SerializedResponse {
	const serialized = serializeResponse(response);
	return { ...serialized, headers: { ...serialized.headers, ...createRetryAfterHeader(rule) } };
}

/** Damages a correct response so that it cannot be parsed. */
function distortResponse(response: SerializedResponse, { kind }: FaultRule): SerializedResponse {
	if (response.text === undefined) return response;
	if (kind === 'truncate') {
		return { ...response, text: response.text.slice(0, Math.floor(response.text.length / 2)) };
	}
	return kind === 'content-type'
		? { ...response, contentType: 'text/plain; charset=utf-8' }
		: response;
}

import { tooLarge } from './body';
import type { CheckedRequest, ContractOperation } from './contract';
import { retryAfterHeader, waitFor } from './faultRules';
import type { FaultRules, FaultRule } from './faultRules';
import { formType } from './form';
import { applyForm } from './lenient';
import { toWire } from './send';
import type { Outgoing, Wire } from './send';
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
export interface Incoming {
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

	const internalError = (
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

	const errorResponse = (
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
	const accept = (
		operation: ContractOperation,
		incoming: Incoming,
	): HandlerResponse | ServiceRequest => {
		const { params, query, body } = incoming;
		const { lenient } = service;
		const headers = lenient?.keyHeaders?.(incoming.headers, query) ?? incoming.headers;
		const rejected = service.authorize?.(headers);
		if (rejected) return rejected;
		if (body === tooLarge)
			return errorResponse(operation, 413, 'too-large', 'The body is over 1 MB');

		const request: CheckedRequest = { path: params, query, header: headers };
		const contentType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
		let parsedBody: unknown;
		if (lenient?.forms && contentType === formType && body !== undefined) {
			applyForm(operation, request, body);
			parsedBody = request.requestBody;
		} else if (operation.accepts.length > 0) {
			if (body === undefined && operation.bodyRequired) {
				return errorResponse(operation, 400, 'contract', 'A body is required', {
					violations: ['body is required'],
					fields: ['body'],
				});
			}
			if (body !== undefined) {
				if (!operation.accepts.includes(contentType)) {
					const message = `The body must be ${operation.accepts.join(' or ')}`;
					return errorResponse(operation, 415, 'media-type', message, { contentType });
				}
				parsedBody = body;
				if (contentType === 'application/json') {
					try {
						parsedBody = JSON.parse(body);
					} catch {
						return errorResponse(operation, 400, 'bad-json', 'The body is not valid JSON');
					}
					request.requestBody = parsedBody;
				} else {
					request.text = { mediaType: contentType, value: body };
				}
			}
		}
		if (!strict) operation.dropUnknown(request);
		const violations = operation.checkRequest(request);
		if (violations.length > 0) {
			const lines = [...new Set(violations.map(({ line }) => line))];
			return errorResponse(operation, 400, 'contract', lines.join('; '), {
				violations: lines,
				fields: [...new Set(violations.map(({ field }) => field))],
			});
		}
		const { operationId } = operation;
		return { operationId, params, query, headers, body: parsedBody, now: world.now() };
	};

	const process = async (
		operation: ContractOperation,
		incoming: Incoming,
	): Promise<HandlerResponse> => {
		let response: HandlerResponse;
		let byHandler = false;
		try {
			const accepted = accept(operation, incoming);
			byHandler = !('status' in accepted);
			response =
				'status' in accepted ? accepted : await service.handlers[operation.operationId]!(accepted);
		} catch (error) {
			return internalError(operation, `The sandbox failed: ${(error as Error).message}`);
		}
		if (operation.method === 'HEAD') response = { ...response, body: undefined };
		// The contract may not define the status of a rejection that did not come from a handler.
		if (!byHandler && !operation.knowsStatus(response.status)) return response;
		const errors = operation.checkResponse(response);
		if (errors.length === 0) return response;
		return internalError(operation, 'The sandbox was about to break its contract', errors);
	};

	const failure = (operation: ContractOperation, rule: FaultRule): Outgoing | undefined => {
		switch (rule.kind) {
			case '429':
				return rejection(errorResponse(operation, 429, 'rate-limit', 'Too many requests'), rule);
			case '500':
				return rejection(errorResponse(operation, 500, 'internal', 'Something went wrong'), rule);
			case '503':
				return rejection(
					errorResponse(operation, 503, 'unavailable', 'Down for maintenance'),
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

	return async (operation: ContractOperation, incoming: Incoming): Promise<Outgoing> => {
		const rule = faultRules.take(service.name, operation.operationId);
		if (!rule) return toWire(await process(operation, incoming));
		await waitFor(rule);
		const failed = failure(operation, rule);
		if (failed && !rule.after) return failed;
		const wire = toWire(await process(operation, incoming));
		return failed ?? distort(wire, rule);
	};
}

function rejection(response: HandlerResponse, rule: FaultRule): Wire {
	const wire = toWire(response);
	return { ...wire, headers: { ...wire.headers, ...retryAfterHeader(rule) } };
}

/** Damages a correct response so that it cannot be parsed. */
function distort(wire: Wire, { kind }: FaultRule): Wire {
	if (wire.text === undefined) return wire;
	if (kind === 'truncate') {
		return { ...wire, text: wire.text.slice(0, Math.floor(wire.text.length / 2)) };
	}
	return kind === 'content-type' ? { ...wire, contentType: 'text/plain; charset=utf-8' } : wire;
}

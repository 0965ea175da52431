import { ServiceFailure } from '../errors';
import { isRecord } from '../values/isRecord';
import { toFailure, isHtml, isWebPage, redirectFailure, unrecognizedFailure } from './failures';
import { fillPath } from './path';
import { oneRecord } from './records';
import type { ServiceResponse, Request, Service } from './types';

/** Returns the failure that a response represents; undefined for a success and for a response that the request accepts. */
export function findFailure(
	response: ServiceResponse,
	request: Request,
	service: Service,
	baseUrl: string,
): ServiceFailure | undefined {
	if (request.accept?.(response)) return undefined;
	const { status } = response;
	if (status >= 300 && status < 400) {
		const path = fillPath(request.path, request.params ?? {});
		return redirectFailure(response, service, baseUrl + path, path);
	}
	if (status < 200 || status >= 300) return toFailure(response, service, request);
	if (request.method === 'HEAD' && isHtml(response))
		return unrecognizedFailure(response, service, true);
	if (response.kind === 'text')
		return request.acceptsText && !isWebPage(response) ? undefined : toFailure(response, service);
	if (isUnrecognized(response, request)) return unrecognizedFailure(response, service);
	const actual = unexpectedContent(response, request);
	if (actual !== undefined) return wrongShapeFailure(actual, response, request, service);
	return service.isFailure?.(response) ? toFailure(response, service, request) : undefined;
}

/** Describes what a response contains in place of the required content; undefined if it contains the required content. */
function unexpectedContent(
	{ body }: ServiceResponse,
	{ requiredContent, path }: Request,
): string | undefined {
	if (requiredContent === 'record') return oneRecord(body, path).actual;
	return requiredContent === 'content' && (body === undefined || body === null)
		? 'nothing'
		: undefined;
}

/** Creates the failure for a well-formed response of an unexpected shape. A retry would get the same response. */
const wrongShapeFailure = (
	actual: string,
	{ status }: ServiceResponse,
	{ requiredContent }: Request,
	service: Service,
): ServiceFailure =>
	new ServiceFailure(
		`The ${service.name} answered with ${actual} (status ${status}), not with the ${requiredContent === 'record' ? 'one record' : 'content'} that was requested`,
		{
			status,
			advice:
				"Check the ID in this node: the service may not know it. If the ID is right, check 'Base URL' in the credential.",
		},
	);

/**
 * Whether a response has a success status and an unrecognized body. A body is unrecognized if it is text other than a web
 * page (a page means a wrong base URL) or if the request is a read and the body is neither a record nor a list. The
 * request's `isRecognized` replaces this check. A failed read must not pass for an empty result.
 */
export function isUnrecognized(
	response: ServiceResponse,
	{ method, idempotent, isRecognized }: Request,
): boolean {
	const { status, kind, body } = response;
	if (status >= 300) return false;
	if (isRecognized) return !isRecognized(response);
	if (status === 204) return false;
	if (kind === 'text') return !isWebPage(response);
	const isRead = method === 'GET' || (method === 'POST' && idempotent === true);
	return isRead && !isRecordOrList(body);
}

/** Whether a body can be a record or a list of records. A list may be empty; otherwise at least one entry must be a record. */
function isRecordOrList(body: unknown): boolean {
	return Array.isArray(body) ? body.length === 0 || body.some(isRecord) : isRecord(body);
}

import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../errors';
import { isRecord } from '../values/isRecord';
import { repeatedPathAdvice } from './address';
import { toFailure, isHtml, isWebPage, unrecognizedFailure } from './failures';
import { fillPath } from './path';
import {
	idOf,
	identifiedRecord,
	isSameRecordId,
	missingList,
	oneRecord,
	pluralIn,
	recordsOf,
	requestedRecordIn,
} from './records';
import { redirectFailure } from './redirect';
import { isRead } from './requestTraits';
import { statedMessage } from './statedMessage';
import { deniesSuccess, hasErrors, leavesSuccessOpen } from './statements';
import type { ServiceResponse, Request, Service } from './types';

/** Returns the failure that a response represents; undefined for a success and for a response that the request accepts. */
export function findFailure(
	response: ServiceResponse,
	request: Request,
	service: Service,
	baseUrl: string,
): ServiceFailure | undefined {
	const failure = failureIn(response, request, service, baseUrl);
	const foundNothing = response.status === 404 || response.kind === 'text';
	const advice = foundNothing ? repeatedPathAdvice(baseUrl, request.path) : undefined;
	return failure && advice !== undefined ? failure.with({ advice }) : failure;
}

function failureIn(
	response: ServiceResponse,
	request: Request,
	service: Service,
	baseUrl: string,
): ServiceFailure | undefined {
	if (request.accept?.(response)) return undefined;
	const { status } = response;
	if (status >= 300 && status < 400) {
		const path = fillPath(request.path, request.params ?? {});
		return redirectFailure(response, service, baseUrl + path, path, !isRead(request));
	}
	if (status < 200 || status >= 300) return toFailure(response, service, request);
	if (request.method === 'HEAD' && isHtml(response))
		return unrecognizedFailure(response, service, true);
	if (response.kind === 'text') return toFailure(response, service);
	if (isUnrecognized(response, request)) return unrecognizedFailure(response, service);
	if (request.requiredContent === 'inspected' && !service.isFailure?.(response)) return undefined;
	return findContradiction(response, request, service);
}

/**
 * Returns the failure of a response whose status reports success and whose contents do not. A refused write may have been
 * carried out all the same, unless the service's contract says otherwise (`explain`).
 */
function findContradiction(
	response: ServiceResponse,
	request: Request,
	service: Service,
): ServiceFailure | undefined {
	const statements = statementsIn(response.body, request);
	const hasId = recordsIn(response.body, request).some(
		(record) => idOf(record, request) !== undefined,
	);
	// Members of a form are named by its author, and say nothing about the request.
	if (request.requiredContent === 'content' && hasId) return undefined;
	if (statements.some((statement) => deniesSuccess(statement, hasId)))
		return refusalFailure(response, request, service);
	const actual = unexpectedContent(response, request);
	if (actual !== undefined) return wrongShapeFailure(actual, response, request, service);
	if (service.isFailure?.(response)) return toFailure(response, service, request);
	const isOpen = !hasId && leavesSuccessOpen(statements, !isRead(request));
	// The message beside a list, such as a count, is no statement about the request.
	return isOpen && request.requiredContent !== 'list'
		? refusalFailure(response, request, service)
		: undefined;
}

/** Returns the records of the requested kind: those of a list, or the only record. */
function recordsIn(body: unknown, { requiredContent, path, identify }: Request): IDataObject[] {
	if (requiredContent === 'list') return recordsOf(body, { identify, plural: pluralIn(path) });
	if (Array.isArray(body)) return body.filter(isRecord);
	const { record } = oneRecord(body, path);
	return record ? [record] : [];
}

/**
 * Returns the objects of a body that may state success or failure: the body and the record in it, or the entries of a list.
 * An entry of a list that was requested states nothing about the request: it may be the record of a failed payment.
 */
function statementsIn(body: unknown, request: Request): IDataObject[] {
	if (typeof body === 'string') return [{ message: body }];
	if (typeof body === 'boolean' || typeof body === 'number') return [{ success: body }];
	const wrapper = isRecord(body) ? [body] : [];
	if (request.requiredContent === 'list') return wrapper;
	return [...wrapper, ...recordsIn(body, request).filter((record) => record !== body)];
}

/**
 * Returns the response with the requested record in place of its wrapper, if the request allows a wrapper of any name. A
 * wrapper that reports an error stays.
 */
export function withoutWrapper(response: ServiceResponse, request: Request): ServiceResponse {
	const { status, kind, body } = response;
	const { identify, mayBeWrapped, requiredContent } = request;
	const requestedId = requestedIdOf(request);
	const wantsRecord =
		requiredContent === 'record' || (requiredContent === undefined && !isRead(request));
	if (!mayBeWrapped || !wantsRecord || requestedId === undefined) return response;
	if (!identify || kind !== 'json' || status < 200 || status >= 300) return response;
	const record = requestedRecordIn(body, { identify }, requestedId);
	const isDenied = isRecord(body) && (deniesSuccess(body, false) || hasErrors(body));
	return record && !isDenied ? { ...response, body: record } : response;
}

/** Returns the ID at the end of a request's path. */
function requestedIdOf({ path, params = {} }: Request): string | undefined {
	const [, idParameter = ''] = /\{([^/]+)\}$/.exec(path) ?? [];
	return params[idParameter];
}

/** Describes what a response contains in place of the required content; undefined if it contains the required content. */
function unexpectedContent(
	{ body, status }: ServiceResponse,
	request: Request,
): string | undefined {
	const { requiredContent, path, identify } = request;
	const requestedId = requestedIdOf(request);
	if (requiredContent === 'record')
		return identifiedRecord(body, path, { identify }, requestedId).actual;
	if (requiredContent === undefined && !isRead(request)) {
		const { record } = oneRecord(body, path);
		const id = record && idOf(record, { identify });
		const isAnother =
			id !== undefined && requestedId !== undefined && !isSameRecordId(id, requestedId);
		return isAnother ? 'a record with another ID' : undefined;
	}
	if (requiredContent === 'list' && status !== 204)
		return missingList(body, { identify, plural: pluralIn(path) });
	return requiredContent === 'content' && (body === undefined || body === null)
		? 'nothing'
		: undefined;
}

/** Creates the failure for a well-formed response of an unexpected shape. A retry would get the same response. */
function wrongShapeFailure(
	actual: string,
	{ status }: ServiceResponse,
	request: Request,
	service: Service,
): ServiceFailure {
	const isWrite = !isRead(request);
	const content = request.requiredContent === 'record' ? 'one record' : request.requiredContent;
	const expected = isWrite ? 'the record that was written' : `the ${content} that was requested`;
	return new ServiceFailure(
		`The ${service.name} answered with ${actual} (status ${status}), not with ${expected}`,
		{
			status,
			uncertain: isWrite,
			advice: isWrite
				? "If this keeps happening, check 'Base URL' in the credential."
				: "Check the ID in this node: the service may not know it. If the ID is right, check 'Base URL' in the credential.",
		},
	);
}

/** Creates the failure for a response that reports success by its status and denies it, or leaves it open, by its contents. */
function refusalFailure(
	response: ServiceResponse,
	request: Request,
	service: Service,
): ServiceFailure {
	const { message, isUncertain = true } = service.explain(response, request);
	const failure = toFailure(response, service, request);
	return failure.with({
		uncertain: isUncertain && !isRead(request),
		...(!message &&
			statedMessage(response.body) === undefined && {
				message: `The ${service.name} answered with a failure (status ${response.status})`,
			}),
	});
}

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
	const hasContent = method === 'GET' || (method === 'POST' && idempotent === true);
	return hasContent && !isRecordOrList(body);
}

/** Whether a body can be a record or a list of records. A list may be empty; otherwise at least one entry must be a record. */
function isRecordOrList(body: unknown): boolean {
	return Array.isArray(body) ? body.length === 0 || body.some(isRecord) : isRecord(body);
}

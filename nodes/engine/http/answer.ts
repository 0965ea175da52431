import { ServiceFailure } from '../errors';
import { isRecord } from '../values/convert';
import { failureOf, isHtml, isPage, redirectFailure, unrecognizedResponse } from './failures';
import { fillPath } from './path';
import { oneRecord } from './records';
import type { Answer, Request, Service } from './types';

/** Returns the failure that a response means, or nothing for a success and for a response that the request accepts. */
export function failureIn(
	answer: Answer,
	request: Request,
	service: Service,
	baseUrl: string,
): ServiceFailure | undefined {
	if (request.accept?.(answer)) return undefined;
	const { status } = answer;
	if (status >= 300 && status < 400) {
		const path = fillPath(request.path, request.params ?? {});
		return redirectFailure(answer, service, baseUrl + path, path);
	}
	if (status < 200 || status >= 300) return failureOf(answer, service);
	if (request.method === 'HEAD' && isHtml(answer))
		return unrecognizedResponse(answer, service, true);
	if (answer.kind === 'text')
		return request.text && !isPage(answer) ? undefined : failureOf(answer, service);
	if (isUnrecognized(answer, request)) return unrecognizedResponse(answer, service);
	const instead = unexpectedContent(answer, request);
	if (instead !== undefined) return shapeFailure(instead, answer, service);
	return service.refuses?.(answer) ? failureOf(answer, service) : undefined;
}

/** Describes the content of a response that lacks what the request wants; `undefined` if it is there. */
function unexpectedContent({ body }: Answer, { wants, path }: Request): string | undefined {
	if (wants === 'record') return oneRecord(body, path).instead;
	return wants === 'content' && (body === undefined || body === null) ? 'nothing' : undefined;
}

/** Failure of a well-formed response of another shape. A retry would get the same response. */
const shapeFailure = (instead: string, { status }: Answer, service: Service): ServiceFailure =>
	new ServiceFailure(
		`The ${service.name} answered with ${instead} (status ${status}), not with the one record that was requested`,
		{
			status,
			advice:
				"Check the ID in this node: the service may not know it. If the ID is right, check 'Base URL' in the credential.",
		},
	);

/**
 * Whether a response has a success status but a body that cannot be one: text that is not a web page, or, for a read, neither
 * a record nor a list. The request's `expects` overrides this. A failed read must not pass for an empty result.
 */
export function isUnrecognized(answer: Answer, { method, repeatable, expects }: Request): boolean {
	const { status, kind, body } = answer;
	if (status >= 300) return false;
	if (expects) return !expects(answer);
	if (status === 204) return false;
	if (kind === 'text') return !isPage(answer);
	const isRead = method === 'GET' || (method === 'POST' && repeatable === true);
	return isRead && !isRecordOrList(body);
}

/** Whether a body can be a record or a list of records. A list may be empty; otherwise at least one entry must be a record. */
function isRecordOrList(body: unknown): boolean {
	return Array.isArray(body) ? body.length === 0 || body.some(isRecord) : isRecord(body);
}

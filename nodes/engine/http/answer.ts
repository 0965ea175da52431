import { ServiceFailure } from '../errors';
import { isRecord } from '../values/convert';
import { failureOf, isHtml, isPage, redirectFailure, unrecognizedResponse } from './failures';
import { fillPath } from './path';
import { oneRecord } from './records';
import type { Answer, Request, Service } from './types';

/** Gives the failure that an answer stands for, or nothing if it is a success or an accepted outcome. */
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
	if (isDamaged(answer, request)) return unrecognizedResponse(answer, service);
	const instead = unexpectedContent(answer, request);
	if (instead !== undefined) return shapeFailure(instead, answer, service);
	return service.refuses?.(answer) ? failureOf(answer, service) : undefined;
}

/** What a read got instead of what it asked for, in words. */
function unexpectedContent({ body }: Answer, { wants, path }: Request): string | undefined {
	if (wants === 'record') return oneRecord(body, path).instead;
	return wants === 'content' && (body === undefined || body === null) ? 'nothing' : undefined;
}

/** The failure of an answer that is well-formed and of another shape. Another try would bring the same. */
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
 * Whether an answer calls itself a success and holds nothing that could be one: a text that is no page, or, where a record or
 * a list was asked for, neither of them. What reads nothing must not look as if there were nothing.
 */
export function isDamaged(answer: Answer, { method, repeatable, expects }: Request): boolean {
	const { status, kind, body } = answer;
	if (status >= 300) return false;
	if (expects) return !expects(answer);
	if (status === 204) return false;
	if (kind === 'text') return !isPage(answer);
	const isRead = method === 'GET' || (method === 'POST' && repeatable === true);
	return isRead && !isRecordOrList(body);
}

/** Whether a body can be a record or a list of records; a list may be empty, but not hold anything else instead. */
function isRecordOrList(body: unknown): boolean {
	return Array.isArray(body) ? body.length === 0 || body.some(isRecord) : isRecord(body);
}

import type { FastifyReply } from 'fastify';

import { getMediaType } from './contract';
import type { HandlerResponse } from './service';

/** A serialized response. */
export interface SerializedResponse {
	status: number;
	headers?: Record<string, string>;
	contentType?: string;
	text?: string;
}

/** A response, or a connection that is closed without one. */
export type ResponseOrDrop = SerializedResponse | 'drop';

/** Serializes a response: as JSON, or the string itself for every other content type. */
export function serializeResponse({
	status,
	headers,
	body,
	contentType,
}: HandlerResponse): SerializedResponse {
	if (body === undefined) return { status, headers };
	const mediaType = getMediaType({ status, body, contentType });
	return {
		status,
		headers,
		contentType: contentType ?? `${mediaType}; charset=utf-8`,
		text: mediaType === 'application/json' ? JSON.stringify(body) : String(body),
	};
}

/** Sends a response, or closes the connection without one. */
export function sendResponse(reply: FastifyReply, response: ResponseOrDrop): FastifyReply {
	if (response === 'drop') {
		reply.hijack();
		reply.raw.destroy();
		return reply;
	}
	void reply.code(response.status);
	if (response.headers) void reply.headers(response.headers);
	if (response.text === undefined) return reply.send();
	return reply.type(response.contentType!).send(response.text);
}

import type { FastifyReply } from 'fastify';

import { mediaTypeOf } from './contract';
import type { HandlerResponse } from './service';

/** A serialized response. */
export interface Wire {
	status: number;
	headers?: Record<string, string>;
	contentType?: string;
	text?: string;
}

/** A response, or a connection that is closed without one. */
export type Outgoing = Wire | 'drop';

/** Serializes a response: as JSON, or the string itself for every other content type. */
export function toWire({ status, headers, body, contentType }: HandlerResponse): Wire {
	if (body === undefined) return { status, headers };
	const mediaType = mediaTypeOf({ status, body, contentType });
	return {
		status,
		headers,
		contentType: contentType ?? `${mediaType}; charset=utf-8`,
		text: mediaType === 'application/json' ? JSON.stringify(body) : String(body),
	};
}

/** Sends a response, or closes the connection without one. */
export function sendWire(reply: FastifyReply, outgoing: Outgoing): FastifyReply {
	if (outgoing === 'drop') {
		reply.hijack();
		reply.raw.destroy();
		return reply;
	}
	void reply.code(outgoing.status);
	if (outgoing.headers) void reply.headers(outgoing.headers);
	if (outgoing.text === undefined) return reply.send();
	return reply.type(outgoing.contentType!).send(outgoing.text);
}

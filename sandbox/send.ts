import type { FastifyReply } from 'fastify';
import type { Answer } from './service';

/** What leaves the sandbox: an answer, or a connection that breaks. */
export type Outgoing = Answer | 'drop';

/** Sends an answer, or closes the connection without one. */
export function sendAnswer(reply: FastifyReply, answer: Outgoing): FastifyReply {
	if (answer === 'drop') {
		reply.hijack();
		reply.raw.destroy();
		return reply;
	}
	void reply.code(answer.status);
	if (answer.headers) void reply.headers(answer.headers);
	if (answer.body === undefined) return reply.send();
	return reply.type(contentTypeOf(answer)).send(textOf(answer));
}

/** The body as it goes over the wire. */
export function textOf(answer: Answer): string {
	return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
}

function contentTypeOf(answer: Answer): string {
	if (answer.contentType) return answer.contentType;
	return typeof answer.body === 'string'
		? 'text/plain; charset=utf-8'
		: 'application/json; charset=utf-8';
}

import type { FastifyInstance, FastifyReply } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const contentTypes: Record<string, string> = {
	html: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	svg: 'image/svg+xml',
};
const FILE_NAME = /^[a-z]+\.[a-z]+$/;
// Approval requests may name logos at any address; everything else is loaded from the sandbox itself.
const contentSecurityPolicy =
	"default-src 'self'; img-src 'self' data: https:; frame-ancestors 'none'";

/** Sends errors as JSON: the message, and messages by field if the error is about fields. */
export function sendErrorsAsJson(server: FastifyInstance): void {
	server.setErrorHandler(
		(error: Error & { statusCode?: number; status?: number; fields?: object }, _, reply) =>
			reply
				.code(error.status ?? error.statusCode ?? 500)
				.send({ error: error.message, ...(error.fields && { fields: error.fields }) }),
	);
}

/** Returns a function that sends files of a folder and none from elsewhere. */
export function createFileSender(folder: string) {
	return async (name: string, reply: FastifyReply) => {
		const type = contentTypes[name.split('.').at(-1)!];
		const isServed = type !== undefined && FILE_NAME.test(name);
		const content = isServed
			? await readFile(join(folder, name)).catch(() => undefined)
			: undefined;
		if (!content) return reply.code(404).send({ error: 'There is no such file' });
		return reply
			.headers({ 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy })
			.type(type!)
			.send(content);
	};
}

/** Serves the files of a folder, with index.html at its root if there is one. */
export function servePage(server: FastifyInstance, folder: string): void {
	sendErrorsAsJson(server);
	const sendFile = createFileSender(folder);
	server.get('/', (_request, reply) => sendFile('index.html', reply));
	server.get<{ Params: { file: string } }>('/:file', ({ params }, reply) =>
		sendFile(params.file, reply),
	);
}

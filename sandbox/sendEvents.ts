import type { FastifyReply, FastifyRequest } from 'fastify';

const HEARTBEAT_INTERVAL_MS = 15_000;

/**
 * Responds with server-sent events until the page is closed. `subscribe` receives a function that sends an event, and
 * returns a function that unsubscribes.
 */
export function sendEvents(
	{ raw }: FastifyRequest,
	reply: FastifyReply,
	subscribe: (send: (event: string, data: object) => void) => () => void,
): void {
	reply.hijack();
	const stream = reply.raw;
	stream.writeHead(200, {
		'content-type': 'text/event-stream; charset=utf-8',
		'cache-control': 'no-store',
	});
	const unsubscribe = subscribe((event, data) => {
		stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
	});
	const heartbeat = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_INTERVAL_MS);
	heartbeat.unref();
	raw.on('close', () => {
		clearInterval(heartbeat);
		unsubscribe();
	});
}

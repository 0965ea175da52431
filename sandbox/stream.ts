import type { FastifyReply, FastifyRequest } from 'fastify';

const BEAT_MS = 15_000;

/**
 * Responds with server-sent events until the page is closed. `subscribe` receives a function that sends an event, and
 * returns one that unsubscribes.
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
	const beat = setInterval(() => stream.write(': still here\n\n'), BEAT_MS);
	beat.unref();
	raw.on('close', () => {
		clearInterval(beat);
		unsubscribe();
	});
}

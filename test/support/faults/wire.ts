import type { Socket } from 'node:net';

import type { InterceptedExchange } from './fault';
import type { UpstreamResponse } from './proxiedRequest';

/** Returns the body of a real response, or a substitute to cut if it has none. */
export const bodyOrSubstitute = ({ body }: UpstreamResponse): Buffer =>
	body.length > 1 ? body : Buffer.from('{"status": "well"}');

/** Returns a status line and headers like those of the real response, with the headers that a spoiled body needs. */
export function responseHead(
	upstream: UpstreamResponse,
	headers: Record<string, string | number>,
): string {
	const type = upstream.headers['content-type'] ?? 'application/json';
	const status = upstream.status === 204 ? 200 : upstream.status;
	const lines = Object.entries({ 'content-type': type, ...headers });
	return [`HTTP/1.1 ${status} Spoilt`, ...lines.map((pair) => pair.join(': ')), '', ''].join(
		'\r\n',
	);
}

/** Joins a head and body parts into the bytes to send. */
export const joinBytes = (head: string, ...bodyParts: Buffer[]): Buffer =>
	Buffer.concat([Buffer.from(head), ...bodyParts]);

/** Sends a few bytes at an interval until the client closes the connection. */
export function sendSlowly(socket: Socket, bytes: string, intervalMs: number): void {
	// A client may time out while the service still handles its request; its socket emits no further `close`.
	if (socket.destroyed) return;
	const timer = setInterval(() => socket.write(bytes), intervalMs);
	socket.once('close', () => clearInterval(timer));
}

/** Sends a number of blanks as fast as the client reads them, and stops when it closes the connection. */
export async function sendBlanks(socket: Socket, bytes: number): Promise<void> {
	const chunk = Buffer.alloc(256 * 1024, ' ');
	const closed = new Promise((resolve) => socket.once('close', resolve));
	const waitForDrain = () => new Promise((resolve) => socket.once('drain', resolve));
	for (let sentBytes = 0; sentBytes < bytes && !socket.destroyed; sentBytes += chunk.length) {
		if (!socket.write(chunk)) await Promise.race([waitForDrain(), closed]);
	}
	socket.end();
}

/** Sends a valid response with a JSON body; an object is serialized. */
export function sendJson(
	{ response }: InterceptedExchange,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Sends an HTML page. */
export function sendHtmlPage(
	{ response }: InterceptedExchange,
	status: number,
	text: string,
): void {
	response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
	response.end(`<!DOCTYPE html><html><head><title>Gate</title></head><body>${text}</body></html>`);
}

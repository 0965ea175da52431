import type { Socket } from 'node:net';

import type { Spoilable } from './fault';
import type { Real } from './passage';

/** The body of a real answer; something to cut where there is none. */
export const textOf = ({ body }: Real): Buffer =>
	body.length > 1 ? body : Buffer.from('{"status": "well"}');

/** The head of an answer like the real one, as far as spoiling its body leaves it. */
export function head(real: Real, headers: Record<string, string | number>): string {
	const type = real.headers['content-type'] ?? 'application/json';
	const status = real.status === 204 ? 200 : real.status;
	const lines = Object.entries({ 'content-type': type, ...headers });
	return [`HTTP/1.1 ${status} Spoilt`, ...lines.map((pair) => pair.join(': ')), '', ''].join(
		'\r\n',
	);
}

/** Bytes for the wire. */
export const raw = (start: string, ...rest: Buffer[]): Buffer =>
	Buffer.concat([Buffer.from(start), ...rest]);

/** Sends a few bytes again and again, until the other side hangs up. */
export function dribble(socket: Socket, bytes: string, everyMs: number): void {
	const timer = setInterval(() => socket.write(bytes), everyMs);
	socket.once('close', () => clearInterval(timer));
}

/** Sends so many blanks as fast as they are taken, and stops when the other side hangs up. */
export async function pour(socket: Socket, bytes: number): Promise<void> {
	const chunk = Buffer.alloc(256 * 1024, ' ');
	const closed = new Promise((resolve) => socket.once('close', resolve));
	const drained = () => new Promise((resolve) => socket.once('drain', resolve));
	for (let sent = 0; sent < bytes && !socket.destroyed; sent += chunk.length) {
		if (!socket.write(chunk)) await Promise.race([drained(), closed]);
	}
	socket.end();
}

/** A proper answer with a JSON text; an object is written as JSON. */
export function json(
	{ response }: Spoilable,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A web page. */
export function page({ response }: Spoilable, status: number, words: string): void {
	response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
	response.end(`<!DOCTYPE html><html><head><title>Gate</title></head><body>${words}</body></html>`);
}

import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The head of an answer, still open. */
export const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Sends some bytes; gives whether the other side is still there. */
export type Write = (bytes: Buffer | string) => Promise<boolean>;

/** A server below HTTP: it sends what a test says, and tells how much that was and when the other side hung up. */
export class RawServer {
	sent = 0;
	hungUp = 0;
	private readonly sockets = new Set<Socket>();

	private constructor(private readonly server: Server) {}

	static async start(talk: (write: Write) => Promise<void>) {
		const tcp = createServer();
		const raw = new RawServer(tcp);
		tcp.on('connection', (socket) => {
			raw.sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				raw.hungUp++;
				// Whoever waits for room to write need not wait any more.
				socket.emit('drain');
			});
			socket.once('data', () => {
				void talk(async (bytes) => {
					raw.sent += bytes.length;
					if (socket.destroyed) return false;
					if (!socket.write(bytes)) await once(socket, 'drain');
					return !socket.destroyed;
				});
			});
		});
		await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
		return raw;
	}

	get url() {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	close() {
		for (const socket of this.sockets) socket.destroy();
		this.server.close();
	}
}

const once = async (socket: Socket, event: string) =>
	await new Promise<void>((resolve) => socket.once(event, () => resolve()));

/** Sends a beginning and then a drop at a time, until the other side hangs up. */
export const dribbling = (head: string, drop: string) => async (write: Write) => {
	await write(head);
	while (await write(drop)) await delay(200);
};

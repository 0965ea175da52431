import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { LabError } from './errors';

const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** Binds a loopback port for a moment and returns its number. */
async function tryPort(port: number): Promise<number> {
	const server = createServer();
	return await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			const boundPort = (server.address() as AddressInfo).port;
			server.close(() => resolve(boundPort));
		});
	});
}

/**
 * Returns a loopback port that no process listens on. It is below the ephemeral ports (Linux from 32768), so that no
 * connection and no server on port 0 takes it before the caller listens on it, or while the caller's n8n restarts.
 */
export async function findFreePort(): Promise<number> {
	for (;;) {
		try {
			return await tryPort(randomInt(FIRST_PORT, LAST_PORT));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		}
	}
}

/** Throws a LabError with a one-line message if the port cannot be bound. */
export async function requireFreePort(
	port: number,
	purpose: string,
	option: string,
): Promise<void> {
	try {
		await tryPort(port);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`;
		throw new LabError(
			`Port ${port}, needed for ${purpose}, ${reason}: stop the program that uses it or choose another port with ${option}.`,
		);
	}
}

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { LabError } from './errors';

/** Binds a loopback port for a moment and says which one it was. */
async function tryPort(port: number): Promise<number> {
	const server = createServer();
	return await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			const taken = (server.address() as AddressInfo).port;
			server.close(() => resolve(taken));
		});
	});
}

/** A loopback port that nobody listens on right now. */
export const freePort = async () => await tryPort(0);

/** Fails with one clear line when the port cannot be had. */
export async function requirePort(port: number, what: string, option: string): Promise<void> {
	try {
		await tryPort(port);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`;
		throw new LabError(
			`Port ${port}, needed for ${what}, ${why}: stop the program that uses it or choose another port with ${option}.`,
		);
	}
}

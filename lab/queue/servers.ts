import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { killWithParent } from '../reaper';

/** A server that was started for one run, on loopback. */
export interface Server {
	port: number;
	stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

async function isListening(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect({ host: '127.0.0.1', port });
		socket.once('error', () => resolve(false));
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
	});
}

async function waitUntilReachable(name: string, port: number, child: ChildProcess): Promise<void> {
	for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await delay(100)) {
		if (child.exitCode !== null)
			throw new Error(`${name} ended while starting (${child.exitCode})`);
		if (await isListening(port)) return;
	}
	throw new Error(`${name} could not be reached in time`);
}

/** Waits until the server of a process can be reached, and returns it. Its folder is removed when the process ends. */
export async function superviseServer(
	name: string,
	folder: string,
	port: number,
	child: ChildProcess,
	signal: NodeJS.Signals,
): Promise<Server> {
	const ended = new Promise((resolve) => child.once('close', resolve));
	killWithParent(child, folder);
	const stop = async () => {
		child.kill(signal);
		await ended;
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		await waitUntilReachable(name, port, child);
	} catch (error) {
		await stop();
		throw error;
	}
	return { port, stop };
}

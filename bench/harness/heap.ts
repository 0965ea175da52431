import { createRequire } from 'node:module';

import { packageOf } from '../../lab/installation';

interface Socket {
	once(event: 'open' | 'error', listener: (error?: Error) => void): void;
	on(event: 'message', listener: (data: Buffer) => void): void;
	send(text: string): void;
	close(): void;
}

/** Environment that opens a process's inspector on this port. */
export const inspectedAt = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });

/** Returns the heap size of an inspected process after garbage collection, in megabytes. */
export async function heapOf(port: number): Promise<number> {
	const WebSocket = createRequire(__filename)(packageOf('ws')) as new (url: string) => Socket;
	const found = await fetch(`http://127.0.0.1:${port}/json/list`);
	const [target] = (await found.json()) as Array<{ webSocketDebuggerUrl: string }>;
	const socket = new WebSocket(target!.webSocketDebuggerUrl);
	await new Promise<void>((resolve, reject) => {
		socket.once('open', () => resolve());
		socket.once('error', reject);
	});
	const waiting = new Map<number, (result: unknown) => void>();
	socket.on('message', (data) => {
		const { id, result } = JSON.parse(data.toString()) as { id: number; result: unknown };
		waiting.get(id)?.(result);
	});
	let count = 0;
	const call = async (method: string) =>
		await new Promise((resolve) => {
			const id = ++count;
			waiting.set(id, resolve);
			socket.send(JSON.stringify({ id, method }));
		});
	await call('HeapProfiler.collectGarbage');
	const { usedSize } = (await call('Runtime.getHeapUsage')) as { usedSize: number };
	socket.close();
	return usedSize / 1e6;
}

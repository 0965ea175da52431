import { createRequire } from 'node:module';

import { packageFolderOf } from '../../lab/installation';

interface Socket {
	once(event: 'open' | 'error', listener: (error?: Error) => void): void;
	on(event: 'message', listener: (data: Buffer) => void): void;
	send(text: string): void;
	close(): void;
}

/** Environment that opens a process's inspector on this port. */
export const createInspectorEnv = (port: number) => ({
	NODE_OPTIONS: `--inspect=127.0.0.1:${port}`,
});

/** Returns the heap size of an inspected process after garbage collection, in megabytes. */
export async function measureHeapMb(port: number): Promise<number> {
	const WebSocket = createRequire(__filename)(packageFolderOf('ws')) as new (url: string) => Socket;
	const response = await fetch(`http://127.0.0.1:${port}/json/list`);
	const [target] = (await response.json()) as Array<{ webSocketDebuggerUrl: string }>;
	const socket = new WebSocket(target!.webSocketDebuggerUrl);
	await new Promise<void>((resolve, reject) => {
		socket.once('open', () => resolve());
		socket.once('error', reject);
	});
	const resolvers = new Map<number, (result: unknown) => void>();
	socket.on('message', (data) => {
		const { id, result } = JSON.parse(data.toString()) as { id: number; result: unknown };
		resolvers.get(id)?.(result);
	});
	let lastId = 0;
	const call = async (method: string) =>
		await new Promise((resolve) => {
			const id = ++lastId;
			resolvers.set(id, resolve);
			socket.send(JSON.stringify({ id, method }));
		});
	await call('HeapProfiler.collectGarbage');
	const { usedSize } = (await call('Runtime.getHeapUsage')) as { usedSize: number };
	socket.close();
	return usedSize / 1e6;
}

import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

import { packageFolderOf } from '../../lab/installation';
import { runChild, receiveMessage, startChild } from './processes';

interface ReadOrder {
	urls: string[];
	headers: Record<string, string>;
	concurrency: number;
}

type Headers = ReadOrder['headers'];

/** Connection handling of the client: kept-alive connections, or n8n's request helper as every node uses it. */
export type ClientKind = 'bare' | 'helper';

/** Creates a client that reads over kept-alive connections and does nothing else. */
function createBareClient(concurrency: number) {
	const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
	const read = async (url: string, headers: Headers) =>
		await new Promise<unknown>((resolve, reject) => {
			get(url, { agent, headers }, (response) => {
				let text = '';
				response.setEncoding('utf8').on('data', (part: string) => (text += part));
				response.on('end', () => resolve(JSON.parse(text)));
			}).on('error', reject);
		});
	return { read, end: () => agent.destroy() };
}

/** Creates a client that reads with the function that n8n's request helper finally calls, without the rest of n8n. */
function createHelperClient() {
	const file = path.join(
		packageFolderOf('@n8n/backend-network'),
		'dist',
		'http',
		'axios',
		'request.js',
	);
	const { httpRequest } = createRequire(__filename)(file) as {
		httpRequest(options: object): Promise<unknown>;
	};
	const read = async (url: string, headers: Headers) =>
		await httpRequest({ method: 'GET', url, headers: { ...headers }, json: true });
	return { read, end: () => undefined };
}

/** Reads URLs with a concurrency limit and returns the time in seconds. */
async function readAll(
	kind: ClientKind,
	{ urls, headers, concurrency }: ReadOrder,
): Promise<number> {
	const { read, end } = kind === 'bare' ? createBareClient(concurrency) : createHelperClient();
	const startedAt = performance.now();
	let next = 0;
	const runWorker = async () => {
		while (next < urls.length) await read(urls[next++]!, headers);
	};
	await Promise.all(Array.from({ length: concurrency }, runWorker));
	end();
	return (performance.now() - startedAt) / 1000;
}

/** Starts a process, on the given Node.js, that times reading many URLs without a node. */
export function startClientProcess(kind: ClientKind, nodeBinary: string) {
	const child = startChild(__filename, kind, { nodeBinary });
	return {
		async read(urls: string[], headers: Headers, concurrency: number): Promise<number> {
			child.send({ urls, headers, concurrency } satisfies ReadOrder);
			return await receiveMessage<number>(child);
		},
		end: () => void child.kill(),
	};
}

const role = process.argv[2];
if (require.main === module && (role === 'bare' || role === 'helper')) {
	const runOrder = async (order: ReadOrder) => void process.send!(await readAll(role, order));
	process.on('message', (order: ReadOrder) => runChild(runOrder(order)));
}

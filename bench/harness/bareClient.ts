import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

import { packageFolderOf } from '../../lab/installation';
import { runChild, receiveMessage, startChild } from './processes';

interface ReadTask {
	urls: string[];
	headers: Record<string, string>;
	concurrency: number;
}

type Headers = ReadTask['headers'];

/** `bare` reads over kept-alive connections. `helper` uses the function that n8n's request helper calls for every node. */
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
function createRequestFunctionClient() {
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

/** Reads URLs with a concurrency limit and returns the duration in seconds. */
async function measureReadSeconds(
	kind: ClientKind,
	{ urls, headers, concurrency }: ReadTask,
): Promise<number> {
	const { read, end } =
		kind === 'bare' ? createBareClient(concurrency) : createRequestFunctionClient();
	const startedAtMs = performance.now();
	let nextIndex = 0;
	const runWorker = async () => {
		while (nextIndex < urls.length) await read(urls[nextIndex++]!, headers);
	};
	await Promise.all(Array.from({ length: concurrency }, runWorker));
	end();
	return (performance.now() - startedAtMs) / 1000;
}

/** Starts a process on this Node.js binary that measures reading many URLs, without n8n and its nodes. */
export function startClientProcess(kind: ClientKind, nodeBinary: string) {
	const child = startChild(__filename, kind, { nodeBinary });
	return {
		async measureReadSeconds(
			urls: string[],
			headers: Headers,
			concurrency: number,
		): Promise<number> {
			child.send({ urls, headers, concurrency } satisfies ReadTask);
			return await receiveMessage<number>(child);
		},
		end: () => void child.kill(),
	};
}

const role = process.argv[2];
if (require.main === module && (role === 'bare' || role === 'helper')) {
	const runTask = async (task: ReadTask) =>
		void process.send!(await measureReadSeconds(role, task));
	process.on('message', (task: ReadTask) => runChild(runTask(task)));
}

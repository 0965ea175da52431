import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

import { packageOf } from '../../lab/installation';
import { runChild, nextMessage, startChild } from './processes';

interface Order {
	urls: string[];
	headers: Record<string, string>;
	concurrency: number;
}

type Headers = Order['headers'];

/** Connection handling of the client: kept-alive connections, or n8n's request helper as every node uses it. */
export type Reader = 'bare' | 'helper';

/** Reads over kept connections, and does nothing else. */
function bare(concurrency: number) {
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

/** Reads by the function that n8n's request helper comes to, without the n8n around it. */
function helper() {
	const file = path.join(packageOf('@n8n/backend-network'), 'dist', 'http', 'axios', 'request.js');
	const { httpRequest } = createRequire(__filename)(file) as {
		httpRequest(options: object): Promise<unknown>;
	};
	const read = async (url: string, headers: Headers) =>
		await httpRequest({ method: 'GET', url, headers: { ...headers }, json: true });
	return { read, end: () => undefined };
}

/** Reads URLs with a concurrency limit and returns the time in seconds. */
async function readAll(reader: Reader, { urls, headers, concurrency }: Order): Promise<number> {
	const { read, end } = reader === 'bare' ? bare(concurrency) : helper();
	const began = performance.now();
	let next = 0;
	const lane = async () => {
		while (next < urls.length) await read(urls[next++]!, headers);
	};
	await Promise.all(Array.from({ length: concurrency }, lane));
	end();
	return (performance.now() - began) / 1000;
}

/** Starts a process, on the given Node.js, that times reading many URLs without a node. */
export function startClient(reader: Reader, nodeBinary: string) {
	const child = startChild(__filename, reader, { nodeBinary });
	return {
		async read(urls: string[], headers: Headers, concurrency: number): Promise<number> {
			child.send({ urls, headers, concurrency } satisfies Order);
			return await nextMessage<number>(child);
		},
		end: () => void child.kill(),
	};
}

const role = process.argv[2];
if (require.main === module && (role === 'bare' || role === 'helper')) {
	const work = async (order: Order) => void process.send!(await readAll(role, order));
	process.on('message', (order: Order) => runChild(work(order)));
}

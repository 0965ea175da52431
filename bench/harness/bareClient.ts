import { Agent, get } from 'node:http';

import { play, result, start } from './processes';

interface Order {
	urls: string[];
	headers: Record<string, string>;
	atATime: number;
}

/** Reads over a kept connection, and nothing else. */
async function read(url: string, headers: Record<string, string>, agent: Agent): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		get(url, { agent, headers }, (answer) => {
			let text = '';
			answer.setEncoding('utf8').on('data', (part: string) => (text += part));
			answer.on('end', () => {
				JSON.parse(text);
				resolve();
			});
		}).on('error', reject);
	});
}

/** Reads addresses, so many at a time, and gives how many seconds it took. */
async function readAll({ urls, headers, atATime }: Order): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: atATime });
	const began = performance.now();
	let next = 0;
	const lane = async () => {
		while (next < urls.length) await read(urls[next++]!, headers, agent);
	};
	await Promise.all(Array.from({ length: atATime }, lane));
	agent.destroy();
	return (performance.now() - began) / 1000;
}

/** The least that reading many things costs: a client without n8n, in a process of its own. */
export function startBareClient() {
	const child = start(__filename, 'client');
	return {
		async read(urls: string[], headers: Record<string, string>, atATime: number): Promise<number> {
			child.send({ urls, headers, atATime } satisfies Order);
			return await result<number>(child);
		},
		end: () => void child.kill(),
	};
}

const work = async (order: Order) => void process.send!(await readAll(order));
if (process.argv[2] === 'client') process.on('message', (order: Order) => play(work(order)));

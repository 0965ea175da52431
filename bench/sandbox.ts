import autocannon from 'autocannon';
import { once } from 'node:events';
import { join } from 'node:path';

import { quantile } from './harness/figures';
import { start } from './harness/processes';

/**
 * How many simple reads the sandbox answers in a second on one core, beside a bare Fastify route in
 * the same run, and what 100,000 requests do to its memory. The server is a process of its own; the
 * load comes from this one.
 */

interface Target {
	name: string;
	url: string;
	headers: Record<string, string>;
}

interface Memory {
	heap: number;
	rss: number;
}

const ROUNDS = 3;
const SECONDS = 4;

async function measure({ url, headers }: Target): Promise<number> {
	const result = await autocannon({ url, headers, connections: 20, duration: SECONDS });
	if (result.errors + result.non2xx > 0) throw new Error(`${url}: not every answer was a success`);
	return result.requests.average;
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

async function main(): Promise<void> {
	const server = start(join(__dirname, 'sandboxServer.ts'), 'serve', { flags: ['--expose-gc'] });
	const [targets] = (await once(server, 'message')) as [Target[]];
	const memory = async (): Promise<Memory> => {
		server.send('memory');
		return ((await once(server, 'message')) as [Memory])[0];
	};
	try {
		const rates = new Map(targets.map(({ name }) => [name, [] as number[]]));
		for (const target of targets) await autocannon({ ...target, connections: 20, duration: 1 });
		// In turns, so that whatever else the machine does hits all of them alike.
		for (let round = 0; round < ROUNDS; round++) {
			for (const target of targets) rates.get(target.name)!.push(await measure(target));
		}
		const bare = quantile(rates.get(targets[0]!.name)!);
		for (const { name } of targets) {
			const rate = quantile(rates.get(name)!);
			const ratio = `${((rate / bare) * 100).toFixed(0)} %`;
			console.log(`${name.padEnd(42)} ${rate.toFixed(0).padStart(7)}/s ${ratio.padStart(6)}`);
		}

		const read = targets.at(-1)!;
		const steps = [await memory()];
		for (let step = 0; step < 4; step++) {
			await autocannon({ ...read, connections: 20, amount: 25_000 });
			steps.push(await memory());
		}
		console.log(
			'\nMemory after each 25,000 of 100,000 requests (heap after a collection, resident)',
		);
		for (const { heap, rss } of steps) console.log(`  ${megabytes(heap)}  ${megabytes(rss)}`);
	} finally {
		server.kill();
	}
}

void main();

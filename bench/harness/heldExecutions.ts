import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { FlowNode } from '../../lab/drive/flows';
import type { BenchN8n } from './n8n';
import { httpRequestNode } from './nodes';

const SETTLE_MS = 300;

/**
 * Blocks executions in their last node, so that the memory that they hold can be measured. The node follows a `countNode`
 * and outputs its counts again.
 */
export async function startHold(field: string) {
	let onReached: ((release: () => void) => void) | undefined;
	const server = createServer(({ url }, response) => {
		const { searchParams } = new URL(url!, 'http://hold');
		const [totalCount, uniqueCount] = [searchParams.get('total'), searchParams.get('unique')];
		const counts = {
			[`count_${field}`]: Number(totalCount),
			[`unique_count_${field}`]: Number(uniqueCount),
		};
		const release = () =>
			response.setHeader('content-type', 'application/json').end(JSON.stringify(counts));
		if (onReached) onReached(release);
		else release();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}/`;
	const query = `total={{ $json.count_${field} }}&unique={{ $json.unique_count_${field} }}`;
	const node: FlowNode = httpRequestNode('Hold', `=${url}?${query}`, {});
	return {
		node,
		/** URL that the node requests. The server blocks a request of any other program, too. */
		url,
		/** Resolves when an execution reaches the node, with a function that releases it. */
		next: async () => await new Promise<() => void>((resolve) => (onReached = resolve)),
		close: () => void server.close(),
	};
}

export type Hold = Awaited<ReturnType<typeof startHold>>;

/** Runs `work`. Returns the time until it is blocked, and the megabytes of n8n's heap that n8n frees after the release. */
export async function measureWhileHeld(
	{ n8n, hold, clear }: { n8n: BenchN8n; hold: Hold; clear(): Promise<unknown> },
	work: () => Promise<unknown>,
): Promise<{ time: number; memory: number }> {
	const arrival = hold.next();
	const startedAt = performance.now();
	const completion = work();
	const prematureEnd = completion.then(() => {
		throw new Error('An execution has ended without being held');
	});
	const release = await Promise.race([arrival, prematureEnd]);
	prematureEnd.catch(() => undefined);
	const time = (performance.now() - startedAt) / 1000;
	const heapWhileHeld = await n8n.measureHeap();
	release();
	await completion;
	await clear();
	await delay(SETTLE_MS);
	return { time, memory: heapWhileHeld - (await n8n.measureHeap()) };
}

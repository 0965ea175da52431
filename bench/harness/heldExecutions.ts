import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { FlowNode } from '../../lab/drive/flows';
import type { BenchN8n } from './n8n';
import { createHttpRequestNode } from './nodes';

/** Time that n8n gets to release the data of the execution before its heap is measured again. */
const SETTLE_MS = 300;

/**
 * Blocks executions in their last node, so that the memory that they hold can be measured. The node follows a `createCountNode`
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
	const node: FlowNode = createHttpRequestNode('Hold', `=${url}?${query}`, {});
	return {
		node,
		/** URL that the node requests. Requests of other programs to it are blocked, too. */
		url,
		/** Resolves when an execution reaches the node, with a function that releases it. */
		waitForExecution: async () => await new Promise<() => void>((resolve) => (onReached = resolve)),
		close: () => void server.close(),
	};
}

export type Hold = Awaited<ReturnType<typeof startHold>>;

/** Runs `work`. Returns the seconds until it is blocked, and the megabytes of heap that n8n frees after the release. */
export async function measureWhileHeld(
	{
		n8n,
		hold,
		runEmptyWorkflow,
	}: { n8n: BenchN8n; hold: Hold; runEmptyWorkflow(): Promise<unknown> },
	work: () => Promise<unknown>,
): Promise<{ time: number; memory: number }> {
	const heldExecution = hold.waitForExecution();
	const startedAtMs = performance.now();
	const completion = work();
	const prematureEnd = completion.then(() => {
		throw new Error('The execution has ended before it was blocked');
	});
	const release = await Promise.race([heldExecution, prematureEnd]);
	prematureEnd.catch(() => undefined);
	const time = (performance.now() - startedAtMs) / 1000;
	const heapMbWhileHeld = await n8n.measureHeapMb();
	release();
	await completion;
	await runEmptyWorkflow();
	await delay(SETTLE_MS);
	return { time, memory: heapMbWhileHeld - (await n8n.measureHeapMb()) };
}

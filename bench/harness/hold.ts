import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FlowNode } from '../../lab/drive/flows';
import { httpRequest } from './nodes';

/**
 * Blocks executions in their last node, so that the memory they hold can be measured. The node follows `count` and outputs the
 * counts again.
 */
export async function startHold(field: string) {
	let reached: ((release: () => void) => void) | undefined;
	const server = createServer(({ url }, response) => {
		const { searchParams } = new URL(url!, 'http://hold');
		const [all, different] = [searchParams.get('all'), searchParams.get('different')];
		const found = {
			[`count_${field}`]: Number(all),
			[`unique_count_${field}`]: Number(different),
		};
		const release = () =>
			response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
		if (reached) reached(release);
		else release();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const query = `all={{ $json.count_${field} }}&different={{ $json.unique_count_${field} }}`;
	const node: FlowNode = httpRequest('Hold', `=http://127.0.0.1:${port}/?${query}`, {});
	return {
		node,
		/** Resolves when an execution reaches the node, with a function that releases it. */
		next: async () => await new Promise<() => void>((resolve) => (reached = resolve)),
		close: () => void server.close(),
	};
}

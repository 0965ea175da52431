import type { IExecuteFunctions } from 'n8n-workflow';

import { withSignal } from '../../../nodes/engine/n8n/requestSignal';
import { startToyServer, toyKit, toyService } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { service } from '../toyOperations';
import { nodeType } from './engine';

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

/** Sends a request that is never answered, and aborts it once it has arrived. Returns whether that ended it. */
async function endsByAbort(contextOf: typeof withSignal): Promise<boolean> {
	const stop = new AbortController();
	let isEnded: Promise<boolean> | undefined;
	const arrived = new Promise<void>((resolve) => server.respondWith(() => resolve()));
	const send = nodeType(
		async (context: IExecuteFunctions) => {
			const request = context.helpers.httpRequestWithAuthentication.call(
				contextOf(context, stop.signal),
				'toyApi',
				{ url: server.url, abortSignal: stop.signal },
			);
			const ended = request.then(
				() => false,
				() => true,
			);
			await arrived;
			stop.abort();
			// Ten turns of the event loop: an aborted request rejects in the first.
			const eventLoopTurns = (async () => {
				for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next));
				return false;
			})();
			isEnded = Promise.race([ended, eventLoopTurns]);
			await isEnded;
			return [[]];
		},
		{ credentials: [{ name: 'toyApi', required: true }] },
	);
	const kit = toyKit(toyService(service.resources.thing!.operations), server.url);
	const { error } = await runNode({ ...kit, nodes: { ...kit.nodes, send } }, 'send', {});
	if (!isEnded) throw error ?? new Error('Nothing was sent');
	return await isEnded;
}

it("a signal aborts a request only through the context that n8n's request helper reads it from", async () => {
	expect(await endsByAbort(withSignal)).toBe(true);
	expect(await endsByAbort((context) => context)).toBe(false);
});

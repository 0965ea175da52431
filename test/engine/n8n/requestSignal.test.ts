// Protects the time limit of a request: n8n's request helper aborts the request by the signal that the pack passes to it.
import type { IExecuteFunctions } from 'n8n-workflow';

import { withSignal } from '../../../nodes/engine/n8n/requestSignal';
import { startToyServer, toyKit, toyService } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { service } from '../toyOperations';
import { createNodeType } from './engine';

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

/** Sends a request without a response, and aborts it once it has arrived. Returns whether the abort ended the request. */
async function endsByAbort(wrapContext: typeof withSignal): Promise<boolean> {
	const abortController = new AbortController();
	let isEnded: Promise<boolean> | undefined;
	const arrived = new Promise<void>((resolve) => server.respondWith(() => resolve()));
	const send = createNodeType(
		async (context: IExecuteFunctions) => {
			const request = context.helpers.httpRequestWithAuthentication.call(
				wrapContext(context, abortController.signal),
				'toyApi',
				{ url: server.url, abortSignal: abortController.signal },
			);
			const isRejected = request.then(
				() => false,
				() => true,
			);
			await arrived;
			abortController.abort();
			// Ten turns of the event loop: an aborted request rejects in the first.
			const eventLoopTurns = (async () => {
				for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next));
				return false;
			})();
			isEnded = Promise.race([isRejected, eventLoopTurns]);
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

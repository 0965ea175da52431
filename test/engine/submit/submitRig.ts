import { operation } from '../../../nodes/engine/operation';
import type { Catalog } from '../../../nodes/engine/operation';
import { submitOptions } from '../../../nodes/engine/submit/options';
import { prepareSubmit } from '../../../nodes/engine/submit/submitId';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ReceivedRequest, ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

export type Handler = Parameters<ToyServer['respondWith']>[0];

/** A toy service, a server in place of a trigger, and a node that creates a thing in the service and submits its ID to the trigger. */
export interface SubmitRig {
	service: ToyServer;
	trigger: ToyServer;
	catalog: Catalog;
	/** URL of the trigger's webhook. */
	webhookUrl: () => string;
	/** Runs the node with several items. */
	runItems: (
		options: object,
		handler: Handler,
		itemCount?: number,
		onError?: string,
	) => Promise<Pick<Awaited<ReturnType<typeof runNode>>, 'outputItems' | 'error'>>;
	/** Runs the node with one item, and returns its output. */
	run: (options: object, handler?: Handler) => Promise<Record<string, unknown>>;
	/** Runs the node with one item, and returns the error that ended the run. */
	runFailing: (
		options: object,
		handler?: Handler,
	) => Promise<{ message: string; description: string }>;
	/** Returns the requests to the trigger that only checked whether it runs. */
	checkRequests: () => ReceivedRequest[];
	/** Returns the requests to the trigger that contained an ID. */
	submittedRequests: () => ReceivedRequest[];
}

/** Returns whether a request only checks that the trigger runs. */
export const isAvailabilityCheck = ({ body }: ReceivedRequest): boolean => body === '{"ids":[]}';

/** Responds as a running trigger does. */
export const respondWatching: Handler = (_, response) => sendJson(response, 200, { watched: 1 });

/** Sets up the rig for all tests of a file. The things have the IDs a1, a2 and so on in each test. */
export function useSubmitRig(): SubmitRig {
	let createdCount = 0;
	const createThing = operation({
		...operationTexts,
		request: 'POST /things',
		fields: {},
		options: submitOptions,
		effect: 'the thing was made',
		run: async (values, call) => {
			const request = await call.buildRequest();
			const submit = await prepareSubmit(values, call);
			await call.send(request);
			const id = `a${++createdCount}`;
			const message = { createdStatement: `The thing ${id} was made`, field: 'Thing IDs' };
			return { id, ...(await submit({ id, subject: 'Ada' }, message)) };
		},
	});
	const rig = {
		catalog: toyService({ make: createThing }),
		webhookUrl: () => `${rig.trigger.url}/webhook/abc`,
		runItems: async (options, handler, itemCount = 1, onError) => {
			rig.trigger.respondWith(handler);
			const { outputItems, error } = await runNode(
				toyKit(rig.catalog, rig.service.url),
				'toy',
				{ resource: 'thing', operation: 'make', options } as never,
				Array.from({ length: itemCount }, (_, index) => ({ index })),
				(onError && { onError }) as never,
			);
			return { outputItems, error };
		},
		run: async (options, handler = respondWatching) => {
			const { outputItems, error } = await rig.runItems(options, handler);
			expect(error).toBeUndefined();
			return outputItems[0]!;
		},
		runFailing: async (options, handler = respondWatching) => {
			const { error } = await rig.runItems(options, handler);
			const { message, description } = error as Error & { description: string };
			return { message, description };
		},
		checkRequests: () => rig.trigger.requests.filter(isAvailabilityCheck),
		submittedRequests: () =>
			rig.trigger.requests.filter((request) => !isAvailabilityCheck(request)),
	} as SubmitRig;
	useAcceleratedTime();
	beforeAll(async () => {
		rig.service = await startToyServer();
		rig.trigger = await startToyServer();
	});
	beforeEach(() => {
		createdCount = 0;
		rig.service.respondWith((_, response) => sendJson(response, 200, {}));
	});
	afterAll(async () => {
		await rig.service.close();
		await rig.trigger.close();
	});
	return rig;
}

import { operation } from '../../../nodes/engine/operation';
import type { Catalog } from '../../../nodes/engine/operation';
import { submitOptions } from '../../../nodes/engine/submit/options';
import { prepareSubmit } from '../../../nodes/engine/submit/submitId';
import { useAcceleratedTime } from '../../support/fakeClock';
import { json, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { Received, ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

export type Handler = Parameters<ToyServer['respondWith']>[0];

/** A toy service, a server in place of a trigger, and a node that creates a thing in the one and submits its ID to the other. */
export interface SubmitRig {
	service: ToyServer;
	trigger: ToyServer;
	catalog: Catalog;
	/** URL of the trigger's webhook. */
	url: () => string;
	/** Runs the node with several items. */
	runAll: (
		options: object,
		handler: Handler,
		items?: number,
		onError?: string,
	) => Promise<Pick<Awaited<ReturnType<typeof runNode>>, 'out' | 'error'>>;
	/** Runs the node with one item, and returns its output. */
	run: (options: object, handler?: Handler) => Promise<Record<string, unknown>>;
	/** Runs the node with one item, and returns the error that ended the run. */
	fail: (options: object, handler?: Handler) => Promise<{ message: string; description: string }>;
	/** Requests of the trigger that only checked whether it runs. */
	checkRequests: () => Received[];
	/** Requests of the trigger with IDs. */
	submittedRequests: () => Received[];
}

/** Whether a request only checks that the trigger runs. */
export const isAvailabilityCheck = ({ body }: Received): boolean => body === '{"ids":[]}';

/** Response of a trigger that runs. */
export const watching: Handler = (_, response) => json(response, 200, { watched: 1 });

export function useSubmitRig(): SubmitRig {
	let made = 0;
	const make = operation({
		...operationTexts,
		request: 'POST /things',
		fields: {},
		options: submitOptions,
		effect: 'the thing was made',
		run: async (values, call) => {
			const request = await call.buildRequest();
			const submit = await prepareSubmit(values, call);
			await call.send(request);
			const id = `a${++made}`;
			const message = { effect: `The thing ${id} was made`, field: 'Thing IDs' };
			return { id, ...(await submit({ id, subject: 'Ada' }, message)) };
		},
	});
	const rig = {
		catalog: toyService({ make }),
		url: () => `${rig.trigger.url}/webhook/abc`,
		runAll: async (options, handler, items = 1, onError) => {
			rig.trigger.respondWith(handler);
			const { out, error } = await runNode(
				toyKit(rig.catalog, rig.service.url),
				'toy',
				{ resource: 'thing', operation: 'make', options } as never,
				Array.from({ length: items }, (_, index) => ({ index })),
				(onError && { onError }) as never,
			);
			return { out, error };
		},
		run: async (options, handler = watching) => {
			const { out, error } = await rig.runAll(options, handler);
			expect(error).toBeUndefined();
			return out[0]!;
		},
		fail: async (options, handler = watching) => {
			const { error } = await rig.runAll(options, handler);
			const { message, description } = error as Error & { description: string };
			return { message, description };
		},
		checkRequests: () => rig.trigger.received.filter(isAvailabilityCheck),
		submittedRequests: () =>
			rig.trigger.received.filter((request) => !isAvailabilityCheck(request)),
	} as SubmitRig;
	useAcceleratedTime();
	beforeAll(async () => {
		rig.service = await startToyServer();
		rig.trigger = await startToyServer();
	});
	beforeEach(() => {
		made = 0;
		rig.service.respondWith((_, response) => json(response, 200, {}));
	});
	afterAll(async () => {
		await rig.service.close();
		await rig.trigger.close();
	});
	return rig;
}

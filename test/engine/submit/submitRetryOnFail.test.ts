// Protects Retry On Fail with a trigger: the next try submits the thing that the first one created, and creates no other.
import type { ServerResponse } from 'node:http';

import { field } from '../../../nodes/engine/field';
import { operation } from '../../../nodes/engine/operation';
import { submitOptions } from '../../../nodes/engine/submit/options';
import { prepareSubmit } from '../../../nodes/engine/submit/submitId';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ReceivedRequest, ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

useAcceleratedTime();

const name = field({
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	target: { in: 'body' },
});
const createThing = operation({
	...operationTexts,
	request: 'POST /things',
	fields: { name },
	options: submitOptions,
	effect: 'the thing was made',
	run: async (values, call) => {
		const request = await call.buildRequest();
		const submit = await prepareSubmit(values, call);
		const { id } = (await call.send(request)).body as { id: string };
		const message = { createdStatement: `The thing ${id} was made`, field: 'Thing IDs' };
		return { id, ...(await submit({ id }, message)) };
	},
});

let service: ToyServer;
let trigger: ToyServer;
beforeAll(async () => {
	service = await startToyServer();
	trigger = await startToyServer();
});
afterAll(async () => {
	await service.close();
	await trigger.close();
});

/** Stands for a request without an ID, which only checks whether the trigger runs. */
const CHECK = '?';
const readIds = ({ body }: ReceivedRequest) =>
	(JSON.parse(body) as { ids: Array<{ id: string }> }).ids;
/** Requests that the trigger received, in order: the ID, or `CHECK`. */
const readReceivedIds = () => trigger.requests.map((request) => readIds(request)[0]?.id ?? CHECK);
const respondAccepted = (response: ServerResponse) => sendJson(response, 200, { watched: 1 });
const respondNotFound = (response: ServerResponse) =>
	sendJson(response, 404, { message: 'Not registered' });

/**
 * Creates the things a0, a1 and so on, and submits their IDs, with Retry On Fail. The response of the trigger depends on the ID
 * (or `CHECK`), and on how often the trigger has received it.
 */
async function run(
	itemCount: number,
	chooseResponse: (id: string, receivedCount: number) => (response: ServerResponse) => void,
) {
	service.respondWith(({ body }, response) =>
		sendJson(response, 200, { id: (JSON.parse(body) as { name: string }).name }),
	);
	const receivedCounts = new Map<string, number>();
	trigger.respondWith((request, response) => {
		const id = readIds(request)[0]?.id ?? CHECK;
		const receivedCount = (receivedCounts.get(id) ?? 0) + 1;
		receivedCounts.set(id, receivedCount);
		chooseResponse(id, receivedCount)(response);
	});
	return await runNode(
		toyKit(toyService({ make: createThing }), service.url),
		'toy',
		{
			resource: 'thing',
			operation: 'make',
			name: '={{ $json.name }}',
			options: { triggerUrl: `${trigger.url}/webhook/abc` },
		},
		Array.from({ length: itemCount }, (_, index) => ({ name: `a${index}` })),
		{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
	);
}

describe('submitting with Retry On Fail', () => {
	it('the next try submits the thing that the first try created, and creates no other', async () => {
		const { outputItems, error } = await run(2, (id, receivedCount) =>
			id === 'a1' && receivedCount === 1 ? respondNotFound : respondAccepted,
		);
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ id: 'a0', handedOver: true },
			{ id: 'a1', handedOver: true },
		]);
		expect(service.requests).toHaveLength(2);
		// The trigger is not checked again, and an ID that it has is not submitted again.
		expect(readReceivedIds()).toEqual([CHECK, 'a0', 'a1', 'a1']);
	});

	it('the error names the created thing even if the trigger no longer runs in the next try', async () => {
		let isGone = false;
		const { error } = await run(1, (id) => {
			isGone ||= id === 'a0';
			return isGone ? respondNotFound : respondAccepted;
		});
		expect(service.requests).toHaveLength(1);
		expect(error!.message).toMatch(/^The thing a0 was made, but the trigger didn't accept it: /);
		expect((error as { description?: string }).description).toMatch(/Instead add a0 under/);
		expect(readReceivedIds()).toEqual([CHECK, 'a0', 'a0', 'a0']);
	});

	it('the next try checks the trigger again if nothing was created yet', async () => {
		const { outputItems } = await run(1, (id, receivedCount) =>
			id === CHECK && receivedCount === 1 ? respondNotFound : respondAccepted,
		);
		expect(outputItems).toEqual([{ id: 'a0', handedOver: true }]);
		expect(service.requests).toHaveLength(1);
		expect(readReceivedIds()).toEqual([CHECK, CHECK, 'a0']);
	});

	it('nothing is created while the trigger does not run', async () => {
		const { error } = await run(1, () => respondNotFound);
		expect(service.requests).toHaveLength(0);
		expect((error as { description?: string }).description).toMatch(/Nothing was sent\./);
	});
});

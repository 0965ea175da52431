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
const make = operation({
	...operationTexts,
	request: 'POST /things',
	fields: { name },
	options: submitOptions,
	effect: 'the thing was made',
	run: async (values, call) => {
		const request = await call.buildRequest();
		const submit = await prepareSubmit(values, call);
		const { id } = (await call.send(request)).body as { id: string };
		const message = { effect: `The thing ${id} was made`, field: 'Thing IDs' };
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

const idsIn = ({ body }: ReceivedRequest) =>
	(JSON.parse(body) as { ids: Array<{ id: string }> }).ids;
/** Requests that the trigger received, in order: an ID, or '?' for a check without one. */
const receivedIds = () => trigger.requests.map((request) => idsIn(request)[0]?.id ?? '?');
const respondAccepted = (response: ServerResponse) => sendJson(response, 200, { watched: 1 });
const respondNotFound = (response: ServerResponse) =>
	sendJson(response, 404, { message: 'Not registered' });

/** Submits with Retry On Fail; the trigger's response depends on the ID and how often it has received it. */
async function run(
	items: number,
	responseFor: (id: string, time: number) => (response: ServerResponse) => void,
	node: object = {},
) {
	service.respondWith(({ body }, response) =>
		sendJson(response, 200, { id: (JSON.parse(body) as { name: string }).name }),
	);
	const times = new Map<string, number>();
	trigger.respondWith((request, response) => {
		const id = idsIn(request)[0]?.id ?? '?';
		const time = (times.get(id) ?? 0) + 1;
		times.set(id, time);
		responseFor(id, time)(response);
	});
	return await runNode(
		toyKit(toyService({ make }), service.url),
		'toy',
		{
			resource: 'thing',
			operation: 'make',
			name: '={{ $json.name }}',
			options: { triggerUrl: `${trigger.url}/webhook/abc` },
		},
		Array.from({ length: items }, (_, index) => ({ name: `a${index}` })),
		{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1, ...node },
	);
}

describe('submitting with Retry On Fail', () => {
	it('a later try submits what an earlier try created', async () => {
		const { outputItems, error } = await run(2, (id, time) =>
			id === 'a1' && time === 1 ? respondNotFound : respondAccepted,
		);
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([
			{ id: 'a0', handedOver: true },
			{ id: 'a1', handedOver: true },
		]);
		expect(service.requests).toHaveLength(2);
		// The trigger is not checked again, and an ID that it has is not submitted again.
		expect(receivedIds()).toEqual(['?', 'a0', 'a1', 'a1']);
	});

	it('the error names what was created, even if the trigger no longer runs in the next try', async () => {
		let isGone = false;
		const { error } = await run(1, (id) => {
			isGone ||= id === 'a0';
			return isGone ? respondNotFound : respondAccepted;
		});
		expect(service.requests).toHaveLength(1);
		expect(error!.message).toMatch(/^The thing a0 was made, but the trigger didn't accept it: /);
		expect((error as { description?: string }).description).toMatch(/Instead add a0 under/);
		expect(receivedIds()).toEqual(['?', 'a0', 'a0', 'a0']);
	});

	it('the trigger is checked again before something is created', async () => {
		const { outputItems } = await run(1, (id, time) =>
			id === '?' && time === 1 ? respondNotFound : respondAccepted,
		);
		expect(outputItems).toEqual([{ id: 'a0', handedOver: true }]);
		expect(service.requests).toHaveLength(1);
		expect(receivedIds()).toEqual(['?', '?', 'a0']);
	});

	it('nothing is created while the trigger does not run', async () => {
		const { error } = await run(1, () => respondNotFound);
		expect(service.requests).toHaveLength(0);
		expect((error as { description?: string }).description).toMatch(/Nothing was sent\./);
	});
});

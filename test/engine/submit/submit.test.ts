import { keysOf, verifySubmission } from '../../../nodes/engine/http/signature';
import { sendJson } from '../../support/toy';
import { isAvailabilityCheck, useSubmitRig, respondWatching } from './submitRig';
import type { Handler } from './submitRig';

const SECRET = 'open sesame 77';
const rig = useSubmitRig();
const { submittedRequests, checkRequests, run, runAll, webhookUrl } = rig;

describe('a running trigger', () => {
	it('a trigger gets no request unless the user chose it', async () => {
		expect(await run({})).toEqual({ id: 'a1' });
		expect(rig.trigger.requests).toHaveLength(0);
	});

	it('the trigger gets a check that adds nothing, and then the ID with its subject', async () => {
		const order: string[] = [];
		rig.service.respondWith((_, response) => {
			order.push('made');
			sendJson(response, 200, {});
		});
		const outputItems = await run(
			{ triggerUrl: ` ${webhookUrl()} ` },
			(request, response, count) => {
				order.push(isAvailabilityCheck(request) ? 'asked' : 'handed over');
				respondWatching(request, response, count);
			},
		);
		expect(outputItems).toEqual({ id: 'a1', handedOver: true });
		expect(order).toEqual(['asked', 'made', 'handed over']);
		const { method, url: path, body } = submittedRequests()[0]!;
		expect([method, path]).toEqual(['POST', '/webhook/abc']);
		expect(JSON.parse(body)).toEqual({ ids: [{ id: 'a1', subject: 'Ada' }] });
	});

	it('the trigger receives both requests signed, and neither secret nor credential', async () => {
		await run({ triggerUrl: webhookUrl(), triggerSecret: SECRET });
		expect(rig.trigger.requests).toHaveLength(2);
		for (const { headers, body } of rig.trigger.requests) {
			const signature = `${headers['x-gatehouse-signature'] as string}`;
			expect(verifySubmission(signature, body, SECRET, 'abc')).toBe('valid');
			expect(JSON.stringify(headers)).not.toContain(SECRET);
			expect(headers['x-toy-key']).toBeUndefined();
		}
	});

	it.each<[string, (address: string) => unknown]>([
		['a string, as a workflow may have stored it', (address) => address],
		['a pasted URL', (value) => ({ __rl: true, mode: 'url', value })],
		['a list entry', (value) => ({ __rl: true, mode: 'list', value, cachedResultName: 'A' })],
		['an expression', (address) => ({ __rl: true, mode: 'url', value: `={{ "${address}" }}` })],
	])('the trigger is found by %s', async (_, triggerUrl) => {
		expect(await run({ triggerUrl: triggerUrl(webhookUrl()) })).toEqual({
			id: 'a1',
			handedOver: true,
		});
	});

	it('the trigger receives the data that the user wants in its output', async () => {
		await run({ triggerUrl: webhookUrl(), triggerData: '{"order": 1042}' });
		expect(JSON.parse(submittedRequests()[0]!.body)).toEqual({
			ids: [{ id: 'a1', subject: 'Ada', data: { order: 1042 } }],
		});
	});

	it('the trigger accepts a signature with the credential if no secret is set', async () => {
		await run({ triggerUrl: webhookUrl() });
		const { signing } = keysOf(rig.catalog, { apiKey: 'sk-toy-0123456789' });
		for (const { headers, body } of rig.trigger.requests) {
			const signature = `${headers['x-gatehouse-signature'] as string}`;
			expect(verifySubmission(signature, body, signing, 'abc')).toBe('valid');
			expect(headers).not.toHaveProperty('x-gatehouse-secret');
			expect(JSON.stringify(headers)).not.toContain('sk-toy');
		}
	});

	it('the trigger is checked once for all items, and each item submits its own ID', async () => {
		const { outputItems } = await runAll(
			{ triggerUrl: webhookUrl(), itemsAtATime: 4 },
			respondWatching,
			25,
		);
		expect(outputItems).toHaveLength(25);
		expect(checkRequests()).toHaveLength(1);
		expect(submittedRequests()).toHaveLength(25);
	});

	it('each trigger that the items name is checked once', async () => {
		const triggerUrl = `={{ $json.index % 2 ? "${webhookUrl()}" : "${rig.trigger.url}/webhook/def" }}`;
		const { outputItems } = await runAll({ triggerUrl }, respondWatching, 6);
		expect(outputItems).toHaveLength(6);
		expect(checkRequests().map((request) => request.url)).toEqual(['/webhook/def', '/webhook/abc']);
	});

	it('a trigger in test mode accepts one ID', async () => {
		const tested: Handler = (_, response) => sendJson(response, 200, { test: true, watched: 1 });
		const { outputItems } = await runAll(
			{ triggerUrl: webhookUrl() },
			tested,
			3,
			'continueRegularOutput',
		);
		expect(outputItems).toMatchObject([
			{ handedOver: true },
			{ error: 'The test URL of a trigger takes one ID, and there are several items [item 1]' },
			{ error: 'The test URL of a trigger takes one ID, and there are several items [item 2]' },
		]);
		expect(rig.service.requests).toHaveLength(1);
	});

	it('a trigger in test mode accepts one ID of items that run concurrently', async () => {
		const tested: Handler = (_, response) => sendJson(response, 200, { test: true, watched: 1 });
		const options = { triggerUrl: webhookUrl(), itemsAtATime: 3 };
		const { outputItems } = await runAll(options, tested, 3, 'continueRegularOutput');
		expect(outputItems.filter(({ handedOver }) => handedOver === true)).toHaveLength(1);
		expect(rig.service.requests).toHaveLength(1);
	});

	it('a 503 to the check or to the submission is retried', async () => {
		const outputItems = await run({ triggerUrl: webhookUrl() }, (_, response, count) =>
			count % 2 ? sendJson(response, 503, {}) : sendJson(response, 200, { watched: 1 }),
		);
		expect(outputItems).toEqual({ id: 'a1', handedOver: true });
		expect([checkRequests(), submittedRequests()].map(({ length }) => length)).toEqual([2, 2]);
		const times = rig.trigger.requests.map(({ headers }) =>
			Number(/^t=(\d+)/.exec(`${headers['x-gatehouse-signature'] as string}`)![1]),
		);
		expect(times[3]! - times[0]!).toBeGreaterThanOrEqual(1);
	});

	it('a 200 without a confirmation from an n8n that is starting is retried', async () => {
		const outputItems = await run({ triggerUrl: webhookUrl() }, (request, response, count) =>
			count === 1
				? void response.end('n8n is starting up')
				: respondWatching(request, response, count),
		);
		expect(outputItems).toEqual({ id: 'a1', handedOver: true });
	});
});

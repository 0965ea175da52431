// Protects IDs submitted to a trigger: it is checked before anything is created, and gets each ID signed, without a secret.
import { keysOf, verifySubmission } from '../../../nodes/engine/http/signature';
import { sendJson } from '../../support/toy';
import { isAvailabilityCheck, useSubmitRig, respondWatching } from './submitRig';
import type { Handler } from './submitRig';

const SECRET = 'open sesame 77';
const rig = useSubmitRig();
const { submittedRequests, checkRequests, run, runItems, webhookUrl } = rig;

const respondInTestMode: Handler = (_, response) =>
	sendJson(response, 200, { test: true, watched: 1 });

describe('submitting an ID to a running trigger', () => {
	it('no trigger gets a request unless the user chose one', async () => {
		expect(await run({})).toEqual({ id: 'a1' });
		expect(rig.trigger.requests).toHaveLength(0);
	});

	it('the trigger gets a check before the thing is created, and its ID with the subject afterwards', async () => {
		const events: string[] = [];
		rig.service.respondWith((_, response) => {
			events.push('thing created');
			sendJson(response, 200, {});
		});
		const outputItems = await run(
			{ triggerUrl: ` ${webhookUrl()} ` },
			(request, response, count) => {
				events.push(isAvailabilityCheck(request) ? 'trigger checked' : 'ID submitted');
				respondWatching(request, response, count);
			},
		);
		expect(outputItems).toEqual({ id: 'a1', handedOver: true });
		expect(events).toEqual(['trigger checked', 'thing created', 'ID submitted']);
		const { method, url: path, body } = submittedRequests()[0]!;
		expect([method, path]).toEqual(['POST', '/webhook/abc']);
		expect(JSON.parse(body)).toEqual({ ids: [{ id: 'a1', subject: 'Ada' }] });
	});

	it('both requests to the trigger are signed with the secret, and contain neither the secret nor the credential', async () => {
		await run({ triggerUrl: webhookUrl(), triggerSecret: SECRET });
		expect(rig.trigger.requests).toHaveLength(2);
		for (const { headers, body } of rig.trigger.requests) {
			const signature = `${headers['x-gatehouse-signature'] as string}`;
			expect(verifySubmission(signature, body, SECRET, 'abc')).toBe('valid');
			expect(JSON.stringify(headers)).not.toContain(SECRET);
			expect(headers['x-toy-key']).toBeUndefined();
		}
	});

	it.each<[string, (url: string) => unknown]>([
		['a string, as a workflow may have stored it', (url) => url],
		['a pasted URL', (url) => ({ __rl: true, mode: 'url', value: url })],
		[
			'a pasted URL with capital letters',
			(url) => ({ __rl: true, mode: 'url', value: url.replace('http', 'HTTP') }),
		],
		['a list entry', (url) => ({ __rl: true, mode: 'list', value: url, cachedResultName: 'A' })],
		['an expression', (url) => ({ __rl: true, mode: 'url', value: `={{ "${url}" }}` })],
	])('the trigger can be chosen by %s', async (_, toParameter) => {
		expect(await run({ triggerUrl: toParameter(webhookUrl()) })).toEqual({
			id: 'a1',
			handedOver: true,
		});
	});

	it('the trigger receives the data of the option Trigger Data with the ID', async () => {
		await run({ triggerUrl: webhookUrl(), triggerData: '{"order": 1042}' });
		expect(JSON.parse(submittedRequests()[0]!.body)).toEqual({
			ids: [{ id: 'a1', subject: 'Ada', data: { order: 1042 } }],
		});
	});

	it('both requests to the trigger are signed with a key of the credential if no secret is set', async () => {
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
		const { outputItems } = await runItems(
			{ triggerUrl: webhookUrl(), itemsAtATime: 4 },
			respondWatching,
			25,
		);
		expect(outputItems).toHaveLength(25);
		expect(checkRequests()).toHaveLength(1);
		expect(submittedRequests()).toHaveLength(25);
	});

	it('each of two triggers that the items choose is checked once', async () => {
		const triggerUrl = `={{ $json.index % 2 ? "${webhookUrl()}" : "${rig.trigger.url}/webhook/def" }}`;
		const { outputItems } = await runItems({ triggerUrl }, respondWatching, 6);
		expect(outputItems).toHaveLength(6);
		expect(checkRequests().map((request) => request.url)).toEqual(['/webhook/def', '/webhook/abc']);
	});

	it('a trigger in test mode gets one ID, and the other items fail before anything is created', async () => {
		const { outputItems } = await runItems(
			{ triggerUrl: webhookUrl() },
			respondInTestMode,
			3,
			'continueRegularOutput',
		);
		expect(outputItems).toMatchObject([
			{ handedOver: true },
			{ error: expect.stringMatching(/^Row 2 of 3: .*takes one ID, and there are several items/) },
			{ error: expect.stringMatching(/^Row 3 of 3: .*takes one ID, and there are several items/) },
		]);
		expect(rig.service.requests).toHaveLength(1);
	});

	it('a trigger in test mode gets one ID if the items run concurrently', async () => {
		const options = { triggerUrl: webhookUrl(), itemsAtATime: 3 };
		const { outputItems } = await runItems(options, respondInTestMode, 3, 'continueRegularOutput');
		expect(outputItems.filter(({ handedOver }) => handedOver === true)).toHaveLength(1);
		expect(rig.service.requests).toHaveLength(1);
	});

	it('the check and the submission are sent again after a 503, with a new time in the signature', async () => {
		const outputItems = await run({ triggerUrl: webhookUrl() }, (_, response, count) =>
			count % 2 ? sendJson(response, 503, {}) : sendJson(response, 200, { watched: 1 }),
		);
		expect(outputItems).toEqual({ id: 'a1', handedOver: true });
		expect([checkRequests(), submittedRequests()].map(({ length }) => length)).toEqual([2, 2]);
		const signedAtSeconds = rig.trigger.requests.map(({ headers }) =>
			Number(/^t=(\d+)/.exec(`${headers['x-gatehouse-signature'] as string}`)![1]),
		);
		expect(signedAtSeconds[3]! - signedAtSeconds[0]!).toBeGreaterThanOrEqual(1);
	});

	it('the check is sent again after a 200 from an n8n that is still starting', async () => {
		const outputItems = await run({ triggerUrl: webhookUrl() }, (request, response, count) =>
			count === 1
				? void response.end('n8n is starting up')
				: respondWatching(request, response, count),
		);
		expect(outputItems).toEqual({ id: 'a1', handedOver: true });
	});
});

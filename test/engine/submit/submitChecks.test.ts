// Protects users whose trigger cannot take an ID: nothing is created, and the error says why.
import type { ServerResponse } from 'node:http';

import { sendJson } from '../../support/toy';
import { useSubmitRig } from './submitRig';
import type { Handler } from './submitRig';

const SECRET = 'open sesame 77';
const rig = useSubmitRig();
const { runFailing, run, runItems, webhookUrl } = rig;

describe('the check of the trigger before anything is created', () => {
	it.each<[string, object, string]>([
		[
			'an address without a scheme',
			{ triggerUrl: 'hello' },
			"'Trigger' is not a web address: hello",
		],
		[
			'a web address inside another address',
			{ triggerUrl: 'x:https://a.b/c' },
			"'Trigger' is not a web address",
		],
		['a script', { triggerUrl: 'javascript:alert(1)' }, "'Trigger' is not a web address"],
		['an incomplete address', { triggerUrl: 'http://' }, "'Trigger' is not a web address"],
		['a list', { triggerUrl: '={{ ["http://a"] }}' }, "'Trigger' is not a web address"],
		[
			'an empty choice of the trigger',
			{ triggerUrl: { __rl: true, mode: 'list', value: '' } },
			'is empty',
		],
		[
			'an expression without a value',
			{ triggerUrl: { __rl: true, mode: 'url', value: '={{ $json.no }}' } },
			'is empty',
		],
		['malformed Trigger Data', { triggerData: '{"order": ' }, 'Trigger Data'],
		['Trigger Data that is a list', { triggerData: '[1]' }, "'Trigger Data' must be a JSON object"],
		[
			'more than 1 kB of Trigger Data',
			{ triggerData: { text: 'x'.repeat(1100) } },
			"'Trigger Data' has more than 1 kB",
		],
	])('the item fails because of %s, and no request is sent', async (_, options, message) => {
		const failure = await runFailing({ triggerUrl: webhookUrl(), ...options });
		expect(failure.message).toContain(message);
		expect(rig.service.requests).toHaveLength(0);
		expect(rig.trigger.requests).toHaveLength(0);
	});

	it('Trigger Data of exactly 1 kB is accepted', async () => {
		const triggerData = { text: 'x'.repeat(1024 - '{"text":""}'.length) };
		expect(await run({ triggerUrl: webhookUrl(), triggerData })).toMatchObject({
			handedOver: true,
		});
	});

	it.each<[string, (response: ServerResponse) => void, string, RegExp]>([
		[
			'a workflow that is not published',
			(response) =>
				sendJson(response, 404, { message: 'The requested webhook is not registered.' }),
			"The trigger at this URL isn't running: publish its workflow",
			/If it is published, check the URL/,
		],
		[
			'a rejected secret',
			(response) => sendJson(response, 403, { message: `Not ${SECRET}` }),
			'The trigger rejected this node',
			/^Not •••\. Nothing was sent\.$/,
		],
		[
			'a redirect',
			(response) => void response.writeHead(302, { location: rig.service.url }).end(),
			"The trigger's URL redirects to another address",
			/https/,
		],
		[
			'a trigger that is full',
			(response) => sendJson(response, 429, { message: 'No more than 5' }, { 'retry-after': '60' }),
			'The trigger accepts no more IDs at the moment',
			/^No more than 5\. Nothing was sent\.$/,
		],
		[
			'a full trigger that gives no reason',
			(response) => sendJson(response, 429, {}, { 'retry-after': '60' }),
			'The trigger accepts no more IDs at the moment',
			/^Try again later\. Nothing was sent\.$/,
		],
		[
			'a process without the trigger',
			(response) => sendJson(response, 503, { message: 'Not in this process' }),
			"The trigger at this URL isn't running at the moment",
			/Not in this process/,
		],
		[
			'another server that responds with success',
			(response) => sendJson(response, 200, { message: 'Workflow was started' }),
			"This URL isn't one of this pack's triggers",
			/production URL/,
		],
		[
			'a web page',
			(response) => void response.end('<html>Hello</html>'),
			"This URL isn't one of this pack's triggers",
			/production URL/,
		],
		[
			'an empty success response',
			(response) => void response.writeHead(204).end(),
			"This URL isn't one of this pack's triggers",
			/production URL/,
		],
		[
			'a broken connection',
			(response) => void response.destroy(),
			"The connection to the trigger's URL broke before it answered",
			/Try again later/,
		],
		[
			'a long error of another server',
			(response) => sendJson(response, 400, { error: 'x'.repeat(500) }),
			"The trigger's URL answers with status 400",
			/^x{400}\. Nothing was sent\.$/,
		],
	])(
		'the item fails because of %s, and nothing is created',
		async (_, respond, message, advice) => {
			const failure = await runFailing(
				{ triggerUrl: webhookUrl(), triggerSecret: SECRET },
				(_request, response) => respond(response),
			);
			expect(failure.message).toBe(message);
			expect(failure.description).toMatch(advice);
			expect(failure.description).toMatch(/Nothing was sent\.$/);
			expect(JSON.stringify(failure)).not.toContain(SECRET);
			expect(rig.service.requests).toHaveLength(0);
		},
	);

	it('a webhook that is no trigger of this pack is called only once', async () => {
		await runFailing({ triggerUrl: webhookUrl() }, (_, response) =>
			sendJson(response, 200, { ok: true }),
		);
		expect(rig.trigger.requests).toHaveLength(1);
	});

	it('the item fails with advice about test URLs if the trigger of a test URL is not listening', async () => {
		const failure = await runFailing(
			{ triggerUrl: `${rig.trigger.url}/webhook-test/abc` },
			(_, response) => sendJson(response, 404, {}),
		);
		expect(failure.message).toBe('The trigger at this test URL is not listening');
		expect(failure.description).toMatch(/Execute step.*production URL/);
		expect(rig.service.requests).toHaveLength(0);
	});

	it('the item fails if there is no server at the URL', async () => {
		const failure = await runFailing({ triggerUrl: 'http://127.0.0.1:1/webhook/abc' });
		expect(failure.message).toBe("The trigger's URL cannot be reached");
		expect(rig.service.requests).toHaveLength(0);
	});

	it('ten items fail after one check of a trigger that is not running', async () => {
		const respondNotFound: Handler = (_, response) => sendJson(response, 404, {});
		const { outputItems } = await runItems(
			{ triggerUrl: webhookUrl() },
			respondNotFound,
			10,
			'continueRegularOutput',
		);
		expect(
			outputItems.filter(({ error }) => /publish its workflow/.test(`${error as string}`)),
		).toHaveLength(10);
		expect(rig.trigger.requests).toHaveLength(1);
		expect(rig.service.requests).toHaveLength(0);
	});
});

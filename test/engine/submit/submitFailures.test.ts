// Protects things whose trigger fails after they were created: the item names thing and reason, and none is created twice.
import type { ServerResponse } from 'node:http';

import { sendJson } from '../../support/toy';
import { isAvailabilityCheck, useSubmitRig, respondWatching } from './submitRig';
import type { Handler } from './submitRig';

const SECRET = 'open sesame 77';
const rig = useSubmitRig();
const { runFailing, submittedRequests, run, runItems, webhookUrl } = rig;

/** Responds to a check like a running trigger, and to a submitted ID as the test defines. */
const respondToId =
	(respond: (response: ServerResponse) => void): Handler =>
	(request, response, count) =>
		isAvailabilityCheck(request) ? respondWatching(request, response, count) : respond(response);

describe('a trigger that fails after the thing was created', () => {
	const respondNotRegistered = respondToId((response) =>
		sendJson(response, 404, { message: 'is not registered' }),
	);

	it('the item fails, and the error names what was created and where to submit it', async () => {
		const failure = await runFailing({ triggerUrl: webhookUrl() }, respondNotRegistered);
		expect(failure.message).toBe(
			"The thing a1 was made, but the trigger didn't accept it: The trigger at this URL isn't running: publish its workflow",
		);
		expect(failure.description).toMatch(/Don't run this step again/);
		expect(failure.description).toMatch(/add a1 under 'Thing IDs' in the trigger and publish/);
		expect(rig.service.requests).toHaveLength(1);
	});

	it('only the item whose ID is rejected fails with Continue On Fail, and each thing is created once', async () => {
		const rejectSecondId: Handler = (request, response, count) =>
			request.body.includes('"a2"')
				? sendJson(response, 403, { message: 'No' })
				: respondWatching(request, response, count);
		const { outputItems } = await runItems(
			{ triggerUrl: webhookUrl() },
			rejectSecondId,
			3,
			'continueRegularOutput',
		);
		expect(outputItems).toMatchObject([
			{ id: 'a1', handedOver: true },
			{ error: expect.stringContaining('The thing a2 was made') as string },
			{ id: 'a3', handedOver: true },
		]);
		expect(rig.service.requests).toHaveLength(3);
	});

	it('the trigger is checked again for the next items, and they create nothing if it no longer runs', async () => {
		let isRunning = true;
		const stopAtFirstId: Handler = (request, response, count) => {
			if (!isAvailabilityCheck(request)) isRunning = false;
			return isRunning
				? respondWatching(request, response, count)
				: sendJson(response, 404, { message: 'not registered' });
		};
		const { outputItems } = await runItems(
			{ triggerUrl: webhookUrl() },
			stopAtFirstId,
			4,
			'continueRegularOutput',
		);
		expect(outputItems).toHaveLength(4);
		expect(outputItems[0]!.error).toContain('The thing a1 was made');
		for (const { error } of outputItems.slice(1))
			expect(error).toMatch(/^Row \d of 4: The trigger at this URL isn't running/);
		expect(rig.service.requests).toHaveLength(1);
	});

	it('the submission is sent three times if the connection is dropped, and the thing is created once', async () => {
		const { message } = await runFailing(
			{ triggerUrl: webhookUrl() },
			respondToId((response) => void response.destroy()),
		);
		expect(message).toContain('The thing a1 was made');
		expect(submittedRequests()).toHaveLength(3);
		expect(rig.service.requests).toHaveLength(1);
	});
});

describe('Continue Without Trigger', () => {
	it.each<[string, (response: ServerResponse) => void, string]>([
		[
			'a rejected secret',
			(response) => sendJson(response, 403, { message: `Not ${SECRET}` }),
			'The trigger rejected this node. Not •••.',
		],
		[
			'a redirect',
			(response) => void response.writeHead(302, { location: rig.service.url }).end(),
			"The trigger's URL redirects to another address. Paste the address that it leads to; often only http must be https.",
		],
	])(
		'the item is output with the reason why its ID was not submitted: %s',
		async (_, respond, handOverReason) => {
			const options = {
				triggerUrl: webhookUrl(),
				triggerSecret: SECRET,
				continueWithoutTrigger: true,
			};
			const outputItems = await run(options, (_request, response) => respond(response));
			expect(outputItems).toEqual({ id: 'a1', handedOver: false, handOverReason });
			expect(rig.trigger.requests).toHaveLength(1);
			expect(rig.service.requests).toHaveLength(1);
		},
	);

	it('the ID is submitted if the trigger runs', async () => {
		const outputItems = await run({ triggerUrl: webhookUrl(), continueWithoutTrigger: true });
		expect(outputItems).toEqual({ id: 'a1', handedOver: true });
		expect(JSON.parse(submittedRequests()[0]!.body)).toEqual({
			ids: [{ id: 'a1', subject: 'Ada' }],
		});
	});

	it('a trigger that was full is checked again in the next execution', async () => {
		const respondFull: Handler = (_, response) =>
			sendJson(response, 429, { message: 'Full' }, { 'retry-after': '60' });
		const options = { triggerUrl: webhookUrl(), continueWithoutTrigger: true };
		expect(await run(options, respondFull)).toMatchObject({
			handOverReason: 'The trigger accepts no more IDs at the moment. Full.',
		});
		expect(await run(options)).toEqual({ id: 'a2', handedOver: true });
	});

	it('the item fails if the URL of the trigger is invalid', async () => {
		const options = { triggerUrl: 'hello', continueWithoutTrigger: true };
		expect((await runFailing(options)).message).toContain('is not a web address');
		expect(rig.service.requests).toHaveLength(0);
	});
});

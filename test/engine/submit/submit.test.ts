import type { ServerResponse } from 'node:http';

import { keysOf, verifySubmission } from '../../../nodes/engine/http/signature';
import { operation } from '../../../nodes/engine/operation';
import { submitOptions } from '../../../nodes/engine/submit/options';
import { prepareSubmit } from '../../../nodes/engine/submit/submitId';
import { useHurry } from '../../support/fakeClock';
import { json, startToyServer, toyKit, toyService, words } from '../../support/toy';
import type { Received, ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

useHurry();

let made = 0;
const make = operation({
	...words,
	request: 'POST /things',
	fields: {},
	options: submitOptions,
	effect: 'the thing was made',
	run: async (values, call) => {
		const request = await call.buildRequest();
		const submit = await prepareSubmit(values, call);
		await call.send(request);
		const id = `a${++made}`;
		const said = { effect: `The thing ${id} was made`, field: 'Thing IDs' };
		return { id, ...(await submit({ id, subject: 'Ada' }, said)) };
	},
});

const SECRET = 'open sesame 77';
let service: ToyServer;
let trigger: ToyServer;
beforeAll(async () => {
	service = await startToyServer();
	trigger = await startToyServer();
});
beforeEach(() => {
	made = 0;
	service.answer((_, response) => json(response, 200, {}));
});
afterAll(async () => {
	await service.close();
	await trigger.close();
});

type Handler = Parameters<ToyServer['answer']>[0];
const watching: Handler = (_, response) => json(response, 200, { watched: 1 });
/** Answers a question well, and what is handed over as the test says. */
const toAnId =
	(answer: (response: ServerResponse) => void): Handler =>
	(request, response, count) =>
		isQuestion(request) ? watching(request, response, count) : answer(response);
const isQuestion = ({ body }: Received) => body === '{"ids":[]}';
const questions = () => trigger.received.filter(isQuestion);
const handedIn = () => trigger.received.filter((request) => !isQuestion(request));

const runAll = async (options: object, answer: Handler, items = 1, onError?: string) => {
	trigger.answer(answer);
	const { out, error } = await runNode(
		toyKit(toyService({ make }), service.url),
		'toy',
		{ resource: 'thing', operation: 'make', options } as never,
		Array.from({ length: items }, (_, index) => ({ index })),
		(onError && { onError }) as never,
	);
	return { out, error };
};
const run = async (options: object, answer = watching) => {
	const { out, error } = await runAll(options, answer);
	expect(error).toBeUndefined();
	return out[0]!;
};
const fail = async (options: object, answer = watching) => {
	const { error } = await runAll(options, answer);
	const { message, description } = error as Error & { description: string };
	return { message, description };
};
const url = () => `${trigger.url}/webhook/abc`;

describe('a running trigger', () => {
	it('gets no request unless it is chosen', async () => {
		expect(await run({})).toEqual({ id: 'a1' });
		expect(trigger.received).toHaveLength(0);
	});

	it('is checked first with a request that adds nothing, and then gets the ID with its subject', async () => {
		const order: string[] = [];
		service.answer((_, response) => {
			order.push('made');
			json(response, 200, {});
		});
		const out = await run({ triggerUrl: ` ${url()} ` }, (request, response, count) => {
			order.push(isQuestion(request) ? 'asked' : 'handed over');
			watching(request, response, count);
		});
		expect(out).toEqual({ id: 'a1', handedOver: true });
		expect(order).toEqual(['asked', 'made', 'handed over']);
		const { method, url: path, body } = handedIn()[0]!;
		expect([method, path]).toEqual(['POST', '/webhook/abc']);
		expect(JSON.parse(body)).toEqual({ ids: [{ id: 'a1', subject: 'Ada' }] });
	});

	it('receives both requests signed, and neither secret nor credential', async () => {
		await run({ triggerUrl: url(), triggerSecret: SECRET });
		expect(trigger.received).toHaveLength(2);
		for (const { headers, body } of trigger.received) {
			const signature = `${headers['x-gatehouse-signature'] as string}`;
			expect(verifySubmission(signature, body, SECRET, 'abc')).toBe('good');
			expect(JSON.stringify(headers)).not.toContain(SECRET);
			expect(headers['x-toy-key']).toBeUndefined();
		}
	});

	it.each<[string, (address: string) => unknown]>([
		['a text, as a workflow may have stored it', (address) => address],
		['what was pasted', (value) => ({ __rl: true, mode: 'url', value })],
		['what was picked', (value) => ({ __rl: true, mode: 'list', value, cachedResultName: 'A' })],
		['an expression', (address) => ({ __rl: true, mode: 'url', value: `={{ "${address}" }}` })],
	])('is found by %s', async (_, triggerUrl) => {
		expect(await run({ triggerUrl: triggerUrl(url()) })).toEqual({ id: 'a1', handedOver: true });
	});

	it('receives the data that the user wants in its output', async () => {
		await run({ triggerUrl: url(), triggerData: '{"order": 1042}' });
		expect(JSON.parse(handedIn()[0]!.body)).toEqual({
			ids: [{ id: 'a1', subject: 'Ada', data: { order: 1042 } }],
		});
	});

	it('accepts a signature with the credential if no secret is set', async () => {
		await run({ triggerUrl: url() });
		const { signing } = keysOf(toyService({ make }), { apiKey: 'sk-toy-0123456789' });
		for (const { headers, body } of trigger.received) {
			const signature = `${headers['x-gatehouse-signature'] as string}`;
			expect(verifySubmission(signature, body, signing, 'abc')).toBe('good');
			expect(headers).not.toHaveProperty('x-gatehouse-secret');
			expect(JSON.stringify(headers)).not.toContain('sk-toy');
		}
	});

	it('is checked once for all items, and each item submits its own ID', async () => {
		const { out } = await runAll({ triggerUrl: url(), itemsAtATime: 4 }, watching, 25);
		expect(out).toHaveLength(25);
		expect(questions()).toHaveLength(1);
		expect(handedIn()).toHaveLength(25);
	});

	it('is checked once for each trigger that the items name', async () => {
		const triggerUrl = `={{ $json.index % 2 ? "${url()}" : "${trigger.url}/webhook/def" }}`;
		const { out } = await runAll({ triggerUrl }, watching, 6);
		expect(out).toHaveLength(6);
		expect(questions().map((request) => request.url)).toEqual(['/webhook/def', '/webhook/abc']);
	});

	it('in test mode accepts one ID', async () => {
		const tested: Handler = (_, response) => json(response, 200, { test: true, watched: 1 });
		const { out } = await runAll({ triggerUrl: url() }, tested, 3, 'continueRegularOutput');
		expect(out).toMatchObject([
			{ handedOver: true },
			{ error: 'The test URL of a trigger takes one ID, and there are several items [item 1]' },
			{ error: 'The test URL of a trigger takes one ID, and there are several items [item 2]' },
		]);
		expect(service.received).toHaveLength(1);
	});

	it('in test mode accepts one ID of items that run concurrently', async () => {
		const tested: Handler = (_, response) => json(response, 200, { test: true, watched: 1 });
		const options = { triggerUrl: url(), itemsAtATime: 3 };
		const { out } = await runAll(options, tested, 3, 'continueRegularOutput');
		expect(out.filter(({ handedOver }) => handedOver === true)).toHaveLength(1);
		expect(service.received).toHaveLength(1);
	});

	it('may respond 503 for a moment, to the check and to the submission', async () => {
		const out = await run({ triggerUrl: url() }, (_, response, count) =>
			count % 2 ? json(response, 503, {}) : json(response, 200, { watched: 1 }),
		);
		expect(out).toEqual({ id: 'a1', handedOver: true });
		expect([questions(), handedIn()].map(({ length }) => length)).toEqual([2, 2]);
		const times = trigger.received.map(({ headers }) =>
			Number(/^t=(\d+)/.exec(`${headers['x-gatehouse-signature'] as string}`)![1]),
		);
		expect(times[3]! - times[0]!).toBeGreaterThanOrEqual(1);
	});

	it('may be in an n8n that is starting, which responds 200 without a confirmation', async () => {
		const out = await run({ triggerUrl: url() }, (request, response, count) =>
			count === 1 ? void response.end('n8n is starting up') : watching(request, response, count),
		);
		expect(out).toEqual({ id: 'a1', handedOver: true });
	});
});

describe('before anything is created', () => {
	it.each<[string, object, string]>([
		['a word', { triggerUrl: 'hello' }, "'Trigger' is not a web address: hello"],
		['no web address', { triggerUrl: 'ftp://x.y/z' }, "'Trigger' is not a web address"],
		['a script', { triggerUrl: 'javascript:alert(1)' }, "'Trigger' is not a web address"],
		['half an address', { triggerUrl: 'http://' }, "'Trigger' is not a web address"],
		['a list', { triggerUrl: '={{ ["http://a"] }}' }, "'Trigger' is not a web address"],
		['nothing picked', { triggerUrl: { __rl: true, mode: 'list', value: '' } }, 'is empty'],
		[
			'an expression of nothing',
			{ triggerUrl: { __rl: true, mode: 'url', value: '={{ $json.no }}' } },
			'is empty',
		],
		['broken data', { triggerData: '{"order": ' }, 'Trigger Data'],
		['data that is a list', { triggerData: '[1]' }, "'Trigger Data' must be a JSON object"],
		[
			'too much data',
			{ triggerData: { text: 'x'.repeat(1100) } },
			"'Trigger Data' has more than 1 kB",
		],
	])('%s is rejected, and no request is sent', async (_, options, message) => {
		const failure = await fail({ triggerUrl: url(), ...options });
		expect(failure.message).toContain(message);
		expect(service.received).toHaveLength(0);
		expect(trigger.received).toHaveLength(0);
	});

	it('data of exactly 1 kB is accepted', async () => {
		const triggerData = { text: 'x'.repeat(1024 - '{"text":""}'.length) };
		expect(await run({ triggerUrl: url(), triggerData })).toMatchObject({ handedOver: true });
	});

	it.each<[string, (response: ServerResponse) => void, string, RegExp]>([
		[
			'a workflow that is not published',
			(response) => json(response, 404, { message: 'The requested webhook is not registered.' }),
			"The trigger at this URL isn't running: publish its workflow",
			/If it is published, check the URL/,
		],
		[
			'a refused secret',
			(response) => json(response, 403, { message: `Not ${SECRET}` }),
			'The trigger refused this node',
			/^Not •••\. Nothing was sent\.$/,
		],
		[
			'a redirect',
			(response) => void response.writeHead(302, { location: service.url }).end(),
			"The trigger's URL redirects to another address",
			/https/,
		],
		[
			'a trigger that is full',
			(response) => json(response, 429, { message: 'No more than 5' }, { 'retry-after': '60' }),
			'The trigger accepts no more IDs at the moment',
			/^No more than 5\. Nothing was sent\.$/,
		],
		[
			'a process without the trigger',
			(response) => json(response, 503, { message: 'Not in this process' }),
			"The trigger at this URL isn't running at the moment",
			/Not in this process/,
		],
		[
			'something else that works',
			(response) => json(response, 200, { message: 'Workflow was started' }),
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
			'an empty yes',
			(response) => void response.writeHead(204).end(),
			"This URL isn't one of this pack's triggers",
			/production URL/,
		],
		[
			'a broken line',
			(response) => void response.destroy(),
			"The connection to the trigger's URL broke before it answered",
			/Try again later/,
		],
		[
			'an error of something else',
			(response) => json(response, 500, { message: 'Oops' }),
			"The trigger's URL answers with status 500",
			/^Oops\. Nothing was sent\.$/,
		],
	])('%s fails the item', async (_, answer, message, advice) => {
		const failure = await fail({ triggerUrl: url(), triggerSecret: SECRET }, (_request, response) =>
			answer(response),
		);
		expect(failure.message).toBe(message);
		expect(failure.description).toMatch(advice);
		expect(failure.description).toMatch(/Nothing was sent\.$/);
		expect(JSON.stringify(failure)).not.toContain(SECRET);
		expect(service.received).toHaveLength(0);
	});

	it('another webhook at the URL is not called several times', async () => {
		await fail({ triggerUrl: url() }, (_, response) => json(response, 200, { ok: true }));
		expect(trigger.received).toHaveLength(1);
	});

	it('a test URL that is not listening fails the item, with a message of its own', async () => {
		const failure = await fail({ triggerUrl: `${trigger.url}/webhook-test/abc` }, (_, response) =>
			json(response, 404, {}),
		);
		expect(failure.message).toBe('The trigger at this test URL is not listening');
		expect(failure.description).toMatch(/Execute step.*production URL/);
		expect(service.received).toHaveLength(0);
	});

	it('a URL without a server fails the item', async () => {
		const failure = await fail({ triggerUrl: 'http://127.0.0.1:1/webhook/abc' });
		expect(failure.message).toBe("The trigger's URL cannot be reached");
		expect(service.received).toHaveLength(0);
	});

	it('one check counts for all items of the execution', async () => {
		const gone: Handler = (_, response) => json(response, 404, {});
		const { out } = await runAll({ triggerUrl: url() }, gone, 10, 'continueRegularOutput');
		expect(
			out.filter(({ error }) => /publish its workflow/.test(`${error as string}`)),
		).toHaveLength(10);
		expect(trigger.received).toHaveLength(1);
		expect(service.received).toHaveLength(0);
	});
});

describe('a trigger that rejects the ID afterwards', () => {
	const refusing = toAnId((response) => json(response, 404, { message: 'is not registered' }));

	it('fails the item, and the error names what was created and where to submit it', async () => {
		const failure = await fail({ triggerUrl: url() }, refusing);
		expect(failure.message).toBe(
			"The thing a1 was made, but the trigger didn't accept it: The trigger at this URL isn't running: publish its workflow",
		);
		expect(failure.description).toMatch(/Don't run this step again/);
		expect(failure.description).toMatch(/add a1 under 'Thing IDs' in the trigger and publish/);
		expect(service.received).toHaveLength(1);
	});

	it('fails each item separately with Continue On Fail, and each is created once', async () => {
		const answer: Handler = (request, response, count) =>
			request.body.includes('"a2"')
				? json(response, 403, { message: 'No' })
				: watching(request, response, count);
		const { out } = await runAll({ triggerUrl: url() }, answer, 3, 'continueRegularOutput');
		expect(out).toMatchObject([
			{ id: 'a1', handedOver: true },
			{ error: expect.stringContaining('The thing a2 was made') as string },
			{ id: 'a3', handedOver: true },
		]);
		expect(service.received).toHaveLength(3);
	});

	it('is checked again before the following items, so that nothing is created unless a trigger receives it', async () => {
		let isThere = true;
		const leaving: Handler = (request, response, count) => {
			if (!isQuestion(request)) isThere = false;
			return isThere
				? watching(request, response, count)
				: json(response, 404, { message: 'not registered' });
		};
		const { out } = await runAll({ triggerUrl: url() }, leaving, 4, 'continueRegularOutput');
		expect(out).toHaveLength(4);
		expect(out[0]!.error).toContain('The thing a1 was made');
		for (const { error } of out.slice(1))
			expect(error).toMatch(/^The trigger at this URL isn't running/);
		expect(service.received).toHaveLength(1);
	});

	it('is retried if that may help', async () => {
		const { message } = await fail(
			{ triggerUrl: url() },
			toAnId((response) => void response.destroy()),
		);
		expect(message).toContain('The thing a1 was made');
		expect(handedIn()).toHaveLength(3);
		expect(service.received).toHaveLength(1);
	});
});

describe('Continue Without Trigger', () => {
	it.each<[string, (response: ServerResponse) => void, string]>([
		[
			'a refused secret',
			(response) => json(response, 403, { message: `Not ${SECRET}` }),
			'The trigger refused this node. Not •••.',
		],
		[
			'a redirect',
			(response) => void response.writeHead(302, { location: service.url }).end(),
			"The trigger's URL redirects to another address. Paste the address that it leads to; often only http must be https.",
		],
	])('lets the item pass and says why: %s', async (_, answer, handOverReason) => {
		const options = { triggerUrl: url(), triggerSecret: SECRET, continueWithoutTrigger: true };
		const out = await run(options, (_request, response) => answer(response));
		expect(out).toEqual({ id: 'a1', handedOver: false, handOverReason });
		expect(trigger.received).toHaveLength(1);
		expect(service.received).toHaveLength(1);
	});

	it('submits the ID if the trigger runs', async () => {
		const out = await run({ triggerUrl: url(), continueWithoutTrigger: true });
		expect(out).toEqual({ id: 'a1', handedOver: true });
	});

	it('checks a full trigger again for every ID', async () => {
		const full: Handler = (_, response) =>
			json(response, 429, { message: 'Full' }, { 'retry-after': '60' });
		const options = { triggerUrl: url(), continueWithoutTrigger: true };
		expect(await run(options, full)).toMatchObject({
			handOverReason: 'The trigger accepts no more IDs at the moment. Full.',
		});
		expect(await run(options)).toEqual({ id: 'a2', handedOver: true });
	});

	it('does not ignore an invalid parameter', async () => {
		const options = { triggerUrl: 'hello', continueWithoutTrigger: true };
		expect((await fail(options)).message).toContain('is not a web address');
		expect(service.received).toHaveLength(0);
	});
});

import type { ServerResponse } from 'node:http';

import { keysOf, verify } from '../../nodes/engine/http/signature';
import { operation } from '../../nodes/engine/operation';
import { handOver, handOverOptions } from '../../nodes/engine/wait/handOver';
import { useHurry } from '../support/hurry';
import { json, startToyServer, toyKit, toyService, words } from '../support/toy';
import type { ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';

useHurry();

const make = operation({
	...words,
	request: 'POST /things',
	fields: {},
	options: handOverOptions,
	once: 'the thing was made',
	run: async (values, call) => {
		await call.send(await call.request());
		return { made: true, ...(await handOver(values, call, { id: 'a1', subject: 'Ada' })) };
	},
});

const SECRET = 'open sesame 77';
let service: ToyServer;
let trigger: ToyServer;
beforeAll(async () => {
	service = await startToyServer();
	trigger = await startToyServer();
	service.answer((_, response) => json(response, 200, {}));
});
afterAll(async () => {
	await service.close();
	await trigger.close();
});

const run = async (options: object, answer?: Parameters<ToyServer['answer']>[0]) => {
	trigger.answer(answer ?? ((_, response) => json(response, 200, { watched: 1 })));
	const { out, error } = await runNode(toyKit(toyService({ make }), service.url), 'toy', {
		resource: 'thing',
		operation: 'make',
		options,
	} as never);
	expect(error).toBeUndefined();
	return out[0]!;
};
const url = () => `${trigger.url}/webhook/abc`;

describe('handing a new ID to a trigger', () => {
	it('does nothing unless asked', async () => {
		expect(await run({})).toEqual({ made: true });
		expect(trigger.received).toHaveLength(0);
	});

	it('posts the ID with its subject, signed, and without the secret or the credential', async () => {
		const out = await run({ triggerUrl: ` ${url()} `, triggerSecret: SECRET });
		expect(out).toEqual({ made: true, handedOver: true });
		expect(trigger.received).toHaveLength(1);
		const { method, url: path, headers, body } = trigger.received[0]!;
		expect([method, path]).toEqual(['POST', '/webhook/abc']);
		expect(JSON.parse(body)).toEqual({ ids: [{ id: 'a1', subject: 'Ada' }] });
		const signature = `${headers['x-gatehouse-signature'] as string}`;
		expect(verify(signature, body, SECRET, 'abc')).toBe('good');
		expect(JSON.stringify(headers)).not.toContain(SECRET);
		expect(headers['x-toy-key']).toBeUndefined();
	});

	it('adds what the user wants to come out again', async () => {
		await run({ triggerUrl: url(), triggerData: '{"order": 1042}' });
		expect(JSON.parse(trigger.received[0]!.body)).toEqual({
			ids: [{ id: 'a1', subject: 'Ada', data: { order: 1042 } }],
		});
	});

	it('takes only an object as data', async () => {
		const out = await run({ triggerUrl: url(), triggerData: '[1]' });
		expect(out).toEqual({
			made: true,
			handedOver: false,
			handOverReason: 'Trigger Data must be a JSON object',
		});
		expect(trigger.received).toHaveLength(0);
	});

	it('signs with what the credential holds where no secret is set', async () => {
		await run({ triggerUrl: url() });
		const { headers, body } = trigger.received[0]!;
		const { signing } = keysOf(toyService({ make }), { apiKey: 'sk-toy-0123456789' });
		const signature = `${headers['x-gatehouse-signature'] as string}`;
		expect(verify(signature, body, signing, 'abc')).toBe('good');
		expect(headers).not.toHaveProperty('x-gatehouse-secret');
		expect(JSON.stringify(headers)).not.toContain('sk-toy');
	});

	it('signs anew for every try, with the time of it', async () => {
		await run({ triggerUrl: url() }, (_, response, count) =>
			count < 3 ? json(response, 503, {}) : json(response, 200, { watched: 1 }),
		);
		const times = trigger.received.map(({ headers }) =>
			Number(/^t=(\d+)/.exec(`${headers['x-gatehouse-signature'] as string}`)![1]),
		);
		expect(times).toHaveLength(3);
		expect(times[2]! - times[0]!).toBeGreaterThanOrEqual(1);
	});

	it.each<[string, (response: ServerResponse) => void, string]>([
		[
			'a refused secret',
			(response) => json(response, 403, { message: `Not ${SECRET}` }),
			"The trigger's URL says: Not ••• (status 403)",
		],
		[
			'no such URL',
			(response) => json(response, 404, {}),
			"The trigger's URL answered with status 404",
		],
		[
			'a redirect',
			(response) => void response.writeHead(302, { location: service.url }).end(),
			"The trigger's URL redirects to another address (status 302)",
		],
	])('never fails the item, and says why: %s', async (_, answer, handOverReason) => {
		const before = service.received.length;
		const out = await run({ triggerUrl: url(), triggerSecret: SECRET }, (_request, response) =>
			answer(response),
		);
		expect(out).toEqual({ made: true, handedOver: false, handOverReason });
		expect(trigger.received).toHaveLength(1);
		expect(service.received.length).toBe(before + 1);
	});

	it('tries again when the trigger is not up for a moment', async () => {
		const out = await run({ triggerUrl: url() }, (_, response, count) =>
			count === 1 ? json(response, 503, {}) : json(response, 200, { watched: 1 }),
		);
		expect(out).toEqual({ made: true, handedOver: true });
		expect(trigger.received).toHaveLength(2);
	});

	it.each<[string, (response: ServerResponse) => void]>([
		['an empty yes', (response) => void response.writeHead(204).end()],
		['a web page', (response) => void response.end('<html>Please wait</html>')],
		['a yes that counts nothing', (response) => json(response, 200, { ok: true })],
	])('takes %s for no trigger, also after three tries', async (_, answer) => {
		const out = await run({ triggerUrl: url() }, (_request, response) => answer(response));
		expect(out).toMatchObject({ made: true, handedOver: false });
		expect(out).toMatchObject({
			handOverReason: expect.stringContaining('does not answer like a trigger') as string,
		});
		expect(trigger.received).toHaveLength(3);
	});

	it('asks a trigger that is full for every ID, whatever it said of the one before', async () => {
		const full = (_: unknown, response: ServerResponse) =>
			json(response, 429, { message: 'Full' }, { 'retry-after': '60' });
		const first = await run({ triggerUrl: url() }, full);
		expect(first).toMatchObject({ handOverReason: "The trigger's URL says: Full (status 429)" });
		const second = await run({ triggerUrl: url() }, (_, response) =>
			json(response, 200, { watched: 1 }),
		);
		expect(second).toEqual({ made: true, handedOver: true });
	});

	it('tries again while n8n is starting, which looks like success', async () => {
		const out = await run({ triggerUrl: url() }, (_, response, count) =>
			count === 1
				? void response.end('n8n is starting up. Please wait')
				: json(response, 200, { watched: 1 }),
		);
		expect(out).toEqual({ made: true, handedOver: true });
		expect(trigger.received).toHaveLength(2);
	});

	it('does not take the success of something else for a hand-over', async () => {
		const out = await run({ triggerUrl: url() }, (_, response) =>
			json(response, 200, { message: 'Workflow was started' }),
		);
		expect(out).toMatchObject({ made: true, handedOver: false });
		expect(out.handOverReason).toMatch(/does not answer like a trigger of this pack/);
	});

	it('gives up on a trigger that never answers well', async () => {
		const out = await run({ triggerUrl: url() }, (_, response) => void response.destroy());
		expect(out).toMatchObject({ made: true, handedOver: false });
		expect(out.handOverReason).toBe("The connection to the trigger's URL broke before it answered");
		expect(trigger.received).toHaveLength(3);
	});

	it.each(['not a url', 'ftp://example.com/x', 'javascript:alert(1)'])(
		'takes only a web address, not %s',
		async (triggerUrl) => {
			expect(await run({ triggerUrl })).toEqual({
				made: true,
				handedOver: false,
				handOverReason: 'Trigger URL is not a web address',
			});
		},
	);
});

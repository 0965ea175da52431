import type { ServerResponse } from 'node:http';

import type { Operation } from '../../nodes/engine/operation';
import { json, startToyServer, toyKit, toyService } from '../support/toy';
import type { ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';

const thingId = {
	displayName: 'Thing ID',
	name: 'thingId',
	type: 'string',
	default: '',
	required: true,
	target: { in: 'path' },
} as const;

const row = (operation: Partial<Operation>): Operation => ({
	name: 'Do',
	action: 'Do it',
	description: 'Does it',
	fields: [],
	...operation,
});

const service = toyService({
	get: row({
		request: { method: 'GET', path: '/things/{thingId}' },
		fields: [thingId],
		repeatable: true,
	}),
	sendSms: row({ request: { method: 'GET', path: '/sms/{thingId}' }, fields: [thingId] }),
	make: row({
		request: { method: 'POST', path: '/things' },
		fields: [
			{
				displayName: 'Value',
				name: 'value',
				type: 'json',
				default: '',
				target: { in: 'wholeBody', value: (given) => JSON.parse(`${given}`) },
			},
		],
	}),
	remove: row({
		request: { method: 'DELETE', path: '/things/{thingId}' },
		fields: [thingId],
		repeatable: true,
	}),
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

/** Runs one operation; waits between tries are kept short unless a test is about them. */
const run = (
	operation: string,
	parameters: object = {},
	input: object[] = [{}],
	node: object = {},
) =>
	runNode(
		toyKit(service, server.url),
		'toy',
		{ resource: 'thing', operation, thingId: 'one', ...parameters } as never,
		input as never,
		node,
	);
const onErrorBranch = { onError: 'continueErrorOutput' };
const drop = (response: ServerResponse) => response.destroy();

/** Fails so many times, then answers. */
const failing = (times: number, fail: (response: ServerResponse) => void) =>
	server.answer((_, response, count) =>
		count <= times ? fail(response) : json(response, 200, { count }),
	);

describe('a request', () => {
	it('carries the key and brings the answer back', async () => {
		server.answer((request, response) => json(response, 200, { path: request.url }));
		const { out, error } = await run('get', { thingId: 'a b' });
		expect(error).toBeUndefined();
		expect(out).toEqual([{ path: '/things/a%20b' }]);
		expect(server.received[0]!.headers['x-toy-key']).toBe('sk-toy-0123456789');
	});

	it.each(['7', '{}', '[]', '"text"', 'false', '{"a":[1,{}]}'])(
		'sends the body %s as it is',
		async (value) => {
			server.answer((_, response) => json(response, 200, {}));
			await run('make', { value });
			expect(server.received).toHaveLength(1);
			expect(server.received[0]!.body).toBe(value);
			expect(server.received[0]!.headers['content-type']).toBe('application/json');
		},
	);

	it('takes a base address with a trailing slash', async () => {
		server.answer((_, response) => json(response, 200, {}));
		await runNode(toyKit(service, `${server.url}/base/`), 'toy', {
			resource: 'thing',
			operation: 'get',
			thingId: 'one',
		});
		expect(server.received[0]!.url).toBe('/base/things/one');
	});

	it.each(['', 'not an address', 'ftp://127.0.0.1/', 'http://127.0.0.1/?key=1'])(
		'refuses the base address "%s"',
		async (baseUrl) => {
			const { error } = await runNode(toyKit(service, baseUrl), 'toy', {
				resource: 'thing',
				operation: 'get',
				thingId: 'one',
			});
			expect(error?.message).toMatch(/base address/);
		},
	);
});

describe('hostile path values', () => {
	const hostile = [
		'../delete',
		'a/../../delete',
		'one?admin=1',
		'one#part',
		'%2F',
		'%2E%2E',
		'%2e%2e/delete',
		'..\\delete',
		'ünï/cödé ✓ 日本',
		'one\r\nX-Injected: 1',
		';matrix=1',
		'@host',
		'//host/path',
	];

	it.each(hostile)('stay inside their segment: %j', async (value) => {
		server.answer((_, response) => json(response, 200, {}));
		const { error } = await run('get', { thingId: value });
		expect(error).toBeUndefined();
		const { url } = server.received[0]!;
		expect(url.startsWith('/things/')).toBe(true);
		const rest = url.slice('/things/'.length);
		expect(rest).not.toMatch(/[/?#\\]/);
		expect(decodeURIComponent(rest)).toBe(value.trim());
	});

	it.each(['', '   ', '.', '..', ' .. ', '\ud800'])(
		'are refused before any request: %j',
		async (value) => {
			server.answer((_, response) => json(response, 200, {}));
			// As an expression: a field left empty by hand is refused by n8n itself.
			const { error } = await run('get', { thingId: '={{ $json.id }}' }, [{ id: value }]);
			expect(error?.message).toMatch(/Thing ID is (missing|not valid)/);
			expect(server.received).toHaveLength(0);
		},
	);
});

describe('429', () => {
	const refuse = (headers: Record<string, string>) => (response: ServerResponse) =>
		json(response, 429, { message: 'Slow down' }, headers);

	it('is followed by another try after Retry-After in seconds, also for what is not repeatable', async () => {
		failing(1, refuse({ 'retry-after': '1' }));
		const { out } = await run('make', { value: '1' });
		expect(out).toEqual([{ count: 2 }]);
		expect(server.received[1]!.at - server.received[0]!.at).toBeGreaterThanOrEqual(990);
	});

	it('is followed by another try at the date of Retry-After', async () => {
		const date = Math.ceil((Date.now() + 1200) / 1000) * 1000;
		failing(1, refuse({ 'retry-after': new Date(date).toUTCString() }));
		const { out } = await run('get');
		expect(out).toEqual([{ count: 2 }]);
		expect(server.received[1]!.at).toBeGreaterThanOrEqual(date - 10);
	});

	it('is followed by longer and longer waits without Retry-After', async () => {
		failing(2, refuse({}));
		const { out } = await run('get');
		expect(out).toEqual([{ count: 3 }]);
		const [first, second, third] = server.received.map(({ at }) => at) as [number, number, number];
		expect(second - first).toBeGreaterThanOrEqual(490);
		expect(third - second).toBeGreaterThanOrEqual(990);
	});

	it('ends at once when the service asks for a longer pause than allowed, and names it', async () => {
		failing(9, refuse({ 'retry-after': '7200' }));
		const started = Date.now();
		const { error } = await run('get');
		expect(Date.now() - started).toBeLessThan(3000);
		expect(server.received).toHaveLength(1);
		expect((error as { description?: string }).description).toMatch(
			/wait 2 hours|wait 120 minutes/,
		);
	});

	it('ends after the chosen number of tries', async () => {
		failing(9, refuse({ 'retry-after': '0' }));
		const { error } = await run('get', { options: { tries: 3 } });
		expect(server.received).toHaveLength(3);
		expect(error?.message).toBe('The toy service says: Slow down');
		expect((error as { description?: string }).description).toMatch(/sent 3 times/);
	});
});

describe.each([
	['500', (response: ServerResponse) => json(response, 500, { message: 'Ouch' })],
	['503', (response: ServerResponse) => json(response, 503, { message: 'Ouch' })],
	['a dropped connection', drop],
	[
		'a truncated answer',
		(response: ServerResponse) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end('{"id": 1, "na');
		},
	],
])('after %s', (_, fail) => {
	it('a repeatable operation is sent again', async () => {
		failing(1, fail);
		const { out } = await run('get', { options: { longestWait: 1 } });
		expect(out).toEqual([{ count: 2 }]);
	});

	it('an operation that is not repeatable is sent once, and says that its effect is not known', async () => {
		failing(9, fail);
		const { error } = await run('sendSms');
		expect(server.received).toHaveLength(1);
		expect((error as { description?: string }).description).toMatch(/not known whether/);
	});
});

describe('other answers', () => {
	it('a 401 is sent once', async () => {
		server.answer((_, response) => json(response, 401, { message: 'Bad key' }));
		const { error } = await run('get');
		expect(server.received).toHaveLength(1);
		expect(error?.message).toBe('The toy service says: Bad key');
		expect((error as { description?: string }).description).toMatch(/key in the credential/);
	});

	it.each([301, 302, 307, 308])('a %d is not followed and names the address', async (status) => {
		const other = await startToyServer();
		server.answer((request, response) => {
			response.writeHead(status, { location: `${other.url}/v2${request.url}` });
			response.end();
		});
		const { error } = await run('make', { value: '1' });
		expect(other.received).toHaveLength(0);
		expect(server.received).toHaveLength(1);
		expect((error as { description?: string }).description).toContain(
			`put ${other.url}/v2 into the credential`,
		);
		await other.close();
	});

	it('a web page is named as such, and not tried again', async () => {
		server.answer((_, response) => {
			response.writeHead(200, { 'content-type': 'text/html' });
			response.end('<!doctype html><title>Welcome</title>');
		});
		const { error } = await run('get');
		expect(server.received).toHaveLength(1);
		expect(error?.message).toMatch(/answered with a web page/);
	});

	it('an unreachable address is named, and that nothing was sent', async () => {
		const { error } = await runNode(toyKit(service, 'http://127.0.0.1:1'), 'toy', {
			resource: 'thing',
			operation: 'sendSms',
			thingId: 'one',
		});
		expect(error?.message).toBe('The toy service cannot be reached');
		expect((error as { description?: string }).description).toMatch(/Nothing was sent/);
	});

	it('https where only http is spoken is named, and that nothing was sent', async () => {
		server.answer((_, response) => json(response, 200, {}));
		const insecure = server.url.replace('http:', 'https:');
		const { error } = await runNode(toyKit(service, insecure), 'toy', {
			resource: 'thing',
			operation: 'sendSms',
			thingId: 'one',
		});
		expect(error?.message).toBe('The toy service cannot be reached');
		expect((error as { description?: string }).description).toMatch(
			/nothing was sent: check http or https/,
		);
		expect(server.received).toHaveLength(0);
	});

	it('a status that nobody expects comes with a way out', async () => {
		server.answer((_, response) => json(response, 405, {}));
		const { error } = await run('get');
		expect(error?.message).toBe('The toy service answered with status 405');
		expect((error as { description?: string }).description).toMatch(/Check the values/);
	});

	it('a late answer ends at the time limit', async () => {
		server.answer(() => undefined);
		const started = Date.now();
		const { error } = await run('sendSms', { options: { timeLimit: 1 } });
		expect(Date.now() - started).toBeLessThan(5000);
		expect(error?.message).toBe('The toy service did not answer within 1 seconds');
		expect(server.received).toHaveLength(1);
	});

	it.each([404, 410])('a %d on the second try of a deletion counts as done', async (status) => {
		server.answer((_, response, count) =>
			count === 1 ? drop(response) : json(response, status, {}),
		);
		const { out, error } = await run('remove', { options: { longestWait: 1 } });
		expect(error).toBeUndefined();
		expect(out).toEqual([{ success: true }]);
		expect(server.received).toHaveLength(2);
	});

	it('a 404 on the second try of a deletion counts as done after a failure of the service', async () => {
		server.answer((_, response, count) => json(response, count === 1 ? 500 : 404, {}));
		const { out } = await run('remove', { options: { longestWait: 1 } });
		expect(out).toEqual([{ success: true }]);
	});

	it('a 404 on the second try of a deletion is an error when the first was turned away', async () => {
		server.answer((_, response, count) =>
			count === 1
				? json(response, 429, {}, { 'retry-after': '0' })
				: json(response, 404, { message: 'No such thing' }),
		);
		const { error } = await run('remove');
		expect(error?.message).toBe('The toy service says: No such thing');
		expect(server.received).toHaveLength(2);
	});

	it('a page with status 404 says nothing about a deletion whose answer was lost', async () => {
		server.answer((_, response, count) => {
			if (count === 1) return drop(response);
			return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
		});
		const { error } = await run('remove', { options: { longestWait: 1 } });
		expect(error?.message).toMatch(/a web page \(status 404\)/);
	});

	it('a 404 on the first try of a deletion is an error', async () => {
		server.answer((_, response) => json(response, 404, { message: 'No such thing' }));
		const { error } = await run('remove');
		expect(error?.message).toBe('The toy service says: No such thing');
	});
});

describe('cancelling', () => {
	it('ends a wait within 100 ms', async () => {
		failing(9, (response) => json(response, 429, {}, { 'retry-after': '30' }));
		let cancelledAt = 0;
		const onStart = (cancel: () => void) =>
			setTimeout(() => {
				cancelledAt = Date.now();
				cancel();
			}, 500);
		await run('get', {}, [{}], { onStart }).catch(() => undefined);
		expect(cancelledAt).toBeGreaterThan(0);
		expect(Date.now() - cancelledAt).toBeLessThan(100);
		expect(server.received).toHaveLength(1);
	});
});

describe('items', () => {
	const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

	it('1,000, ten at a time, keep their order and pairing', async () => {
		let inFlight = 0;
		let most = 0;
		server.answer((request, response) => {
			most = Math.max(most, ++inFlight);
			setTimeout(() => {
				inFlight--;
				json(response, 200, { n: Number(request.url.split('/').pop()) });
			}, Math.random() * 4);
		});
		const { items, out } = await run('get', { thingId: '={{ $json.n }}' }, numbered(1000));
		expect(out).toEqual(numbered(1000));
		expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
			Array.from({ length: 1000 }, (_, item) => ({ item })),
		);
		expect(most).toBe(10);
	});

	it('of a write go one at a time, in order', async () => {
		let inFlight = 0;
		let most = 0;
		server.answer((_, response) => {
			most = Math.max(most, ++inFlight);
			setTimeout(() => {
				inFlight--;
				json(response, 200, {});
			}, 2);
		});
		await run('make', { value: '={{ JSON.stringify($json.n) }}' }, numbered(20));
		expect(most).toBe(1);
		expect(server.received.map(({ body }) => Number(body))).toEqual(numbered(20).map(({ n }) => n));
	});

	it('go as many at a time as the user chooses', async () => {
		let inFlight = 0;
		let most = 0;
		server.answer((_, response) => {
			most = Math.max(most, ++inFlight);
			setTimeout(() => {
				inFlight--;
				json(response, 200, {});
			}, 5);
		});
		await run('make', { value: '1', options: { itemsAtATime: 3 } }, numbered(12));
		expect(most).toBe(3);
	});

	it('that fail go to the error branch and leave the others alone', async () => {
		server.answer((request, response) =>
			request.url.endsWith('/1')
				? json(response, 400, { message: 'Not this one' })
				: json(response, 200, { url: request.url }),
		);
		const { out, failed, error } = await run(
			'get',
			{ thingId: '={{ $json.n }}' },
			numbered(3),
			onErrorBranch,
		);
		expect(error).toBeUndefined();
		expect(out).toEqual([{ url: '/things/0' }, { url: '/things/2' }]);
		expect(failed).toHaveLength(1);
		// The input comes along, so that the error branch can tell whom it is about.
		expect(failed[0]!.json).toEqual({
			n: 1,
			error: 'The toy service says: Not this one',
			details: 'Check the values in this node: the service does not accept one of them.',
		});
		expect(failed[0]!.pairedItem).toEqual({ item: 1 });
	});

	it('end the run at the first failure otherwise, and name the item', async () => {
		server.answer((request, response) =>
			request.url.endsWith('/1')
				? json(response, 400, { message: 'Not this one' })
				: json(response, 200, {}),
		);
		const { error } = await run('get', { thingId: '={{ $json.n }}' }, numbered(3));
		expect((error as { context?: { itemIndex?: number } }).context?.itemIndex).toBe(1);
	});
});

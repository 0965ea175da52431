// Protects executions from a service that never ends a response or sends too much: the node ends and closes the connection.
// A malformed or empty response never passes for a requested record.
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { useAcceleratedTime } from '../../support/fakeClock';
import { sendSlowly, RESPONSE_HEAD, RawServer } from '../../support/rawServer';
import { sendJson, toyKit } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { service, useToy } from '../toyOperations';

useAcceleratedTime();

const server = useToy();

let rawServer: RawServer | undefined;
afterEach(() => rawServer?.close());

const runGet = async (url: string, options: object = {}, node: object = {}) =>
	await runNode(
		toyKit(service, url),
		'toy',
		{
			resource: 'thing',
			operation: 'get',
			thingId: 'one',
			options: { timeLimit: 1, tries: 1, ...options },
		},
		[{}],
		node,
	);

/** Waits until the node has closed a connection, for four seconds at most. */
async function expectDisconnect(): Promise<void> {
	for (let tries = 0; tries < 200 && rawServer!.disconnects === 0; tries++) await delay(20);
	expect(rawServer!.disconnects).toBeGreaterThan(0);
}

describe('a response without an end', () => {
	it.each([
		['sends its body slowly', sendSlowly(`${RESPONSE_HEAD}\r\n`, ' ')],
		['sends its headers slowly', sendSlowly(RESPONSE_HEAD, 'x-more: 1\r\n')],
		['stops before its headers', async () => undefined],
		['stops within its headers', sendSlowly(RESPONSE_HEAD, '')],
		['stops within its body', sendSlowly(`${RESPONSE_HEAD}content-length: 100\r\n\r\n{`, '')],
	])('fails at the timeout if it %s', async (_, respond) => {
		rawServer = await RawServer.start(respond);
		const { error } = await runGet(rawServer.url);
		expect(error?.message).toBe('The toy service did not answer within 1 second');
		await expectDisconnect();
	});

	it('is aborted when the execution is canceled', async () => {
		rawServer = await RawServer.start(sendSlowly(`${RESPONSE_HEAD}\r\n`, ' '));
		const onStart = (cancel: () => void) => void delay(300).then(cancel);
		const { error } = await runGet(rawServer.url, { timeLimit: 60 }, { onStart });
		expect(`${error?.message ?? ''}`).not.toMatch(/seconds/);
		await expectDisconnect();
	});

	it('fails after 50 MB, and the request is not retried', async () => {
		const chunk = Buffer.alloc(1_000_000, ' ');
		rawServer = await RawServer.start(async (write) => {
			await write(`${RESPONSE_HEAD}\r\n[`);
			while (rawServer!.bytesSent < 500_000_000 && (await write(chunk)));
		});
		const { error } = await runGet(rawServer.url, { timeLimit: 60, tries: 4 });
		expect(error?.message).toMatch(/more than 50 MB/);
		await expectDisconnect();
		// Bytes in transit are counted too.
		expect(rawServer.bytesSent).toBeLessThan(100_000_000);
		expect(rawServer.disconnects).toBe(1);
	});

	it('fails if it exceeds 50 MB after decompression', async () => {
		const compressedBody = gzipSync(Buffer.alloc(60_000_000, ' '));
		server.respondWith((_, response) => {
			response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
			response.end(compressedBody);
		});
		const { error } = await server.run('get', { thingId: 'one' });
		expect(error?.message).toMatch(/more than 50 MB/);
	});
});

describe('a complete response', () => {
	it('is read if it is large, compressed, and begins with a byte order mark', async () => {
		const names = Array.from({ length: 20_000 }, (_, index) => `Zoë ${index} 🎟`);
		server.respondWith((_, response) => {
			response.writeHead(200, { 'content-encoding': 'gzip' });
			response.end(gzipSync(`\uFEFF${JSON.stringify({ names })}`));
		});
		const { outputItems } = await server.run('get', { thingId: 'one' });
		expect(outputItems).toEqual([{ names }]);
	});

	it.each(['identity', 'gzip'])('is measured after decompression (%s)', async (encoding) => {
		const text = JSON.stringify({ note: 'ö'.repeat(100_000) });
		server.respondWith((_, response) => {
			response.writeHead(200, { 'content-encoding': encoding });
			response.end(encoding === 'gzip' ? gzipSync(text) : text);
		});
		const { outputItems } = await server.run('measure', { thingId: 'one' });
		expect(outputItems).toEqual([{ bytes: Buffer.byteLength(text) }]);
	});

	it('fails if it cannot be decompressed', async () => {
		server.respondWith((_, response) => {
			response.writeHead(200, { 'content-encoding': 'gzip' });
			response.end('this is not gzip');
		});
		const { error } = await server.run('get', { thingId: 'one', options: { tries: 1 } });
		expect(error?.message).toMatch(/can't be read/);
	});

	it('is retried as malformed if it is nested too deeply', async () => {
		const bodies = ['['.repeat(100_000) + ']'.repeat(100_000), JSON.stringify({ fine: true })];
		server.respondWith((_, response, count) => response.end(bodies[count - 1]));
		const { outputItems } = await server.run('get', { thingId: 'one' });
		expect(outputItems).toEqual([{ fine: true }]);
		expect(server.requests).toHaveLength(2);
	});

	it.each(['', 'null', '42', 'true', '"done"', '[1,2,3]', '[null]', '["done"]', '[[]]'])(
		'is retried as malformed if its body is %j and a record was requested',
		async (body) => {
			server.respondWith((_, response, count) =>
				count === 1 ? response.end(body) : sendJson(response, 200, { fine: true }),
			);
			const { outputItems } = await server.run('get', { thingId: 'one' });
			expect(outputItems).toEqual([{ fine: true }]);
			expect(server.requests).toHaveLength(2);
		},
	);

	it('is named in the error if it is empty in every attempt', async () => {
		server.respondWith((_, response) => response.end());
		const { error } = await server.run('get', { thingId: 'one', options: { tries: 1 } });
		expect(error?.message).toBe('The toy service answered with nothing (status 200)');
	});

	it('causes a hint if it is empty and answers a write', async () => {
		server.respondWith((_, response) => response.end());
		const { outputItems, error, hints } = await server.run('make', { value: '1' });
		expect([outputItems.length, error]).toEqual([1, undefined]);
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('answered with nothing instead of the record') as string },
		]);
	});

	it('fails if its status is 204 and a record was requested', async () => {
		server.respondWith((_, response) => response.writeHead(204).end());
		const { outputItems, error } = await server.run('get', { thingId: 'one' });
		expect(outputItems).toEqual([]);
		expect(error?.message).toBe(
			'The toy service answered with nothing (status 204), not with the one record that was requested',
		);
		expect(server.requests).toHaveLength(1);
	});
});

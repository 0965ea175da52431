// Protects what users learn from error responses, and a deletion whose response was lost: a later 404 confirms it.
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson, startToyServer, toyKit } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { drop, service, useToy } from '../toyOperations';

useAcceleratedTime();

const server = useToy();
const run: typeof server.run = async (...args) => await server.run(...args);
const failFirstRequests: typeof server.failFirstRequests = (...args) =>
	server.failFirstRequests(...args);

describe('error responses', () => {
	it('a 401 is not retried, and the error advises to check the key', async () => {
		server.respondWith((_, response) => sendJson(response, 401, { message: 'Bad key' }));
		const { error } = await run('get');
		expect(server.requests).toHaveLength(1);
		expect(error?.message).toBe('Toy service: Bad key');
		expect((error as { description?: string }).description).toMatch(/key in the credential/);
	});

	it.each([301, 302, 307, 308])(
		'a redirect with %d is not followed, and the error names its target',
		async (status) => {
			const redirectTarget = await startToyServer();
			server.respondWith((request, response) => {
				response.writeHead(status, { location: `${redirectTarget.url}/v2${request.url}` });
				response.end();
			});
			const { error } = await run('make', { value: '1' });
			expect(redirectTarget.requests).toHaveLength(0);
			expect(server.requests).toHaveLength(1);
			expect((error as { description?: string }).description).toContain(
				`enter ${redirectTarget.url}/v2 as 'Base URL' in the credential`,
			);
			await redirectTarget.close();
		},
	);

	it('a web page is reported as a web page, and not retried', async () => {
		server.respondWith((_, response) => {
			response.writeHead(200, { 'content-type': 'text/html' });
			response.end('<!doctype html><title>Welcome</title>');
		});
		const { error } = await run('get');
		expect(server.requests).toHaveLength(1);
		expect(error?.message).toMatch(/answered with a web page/);
	});

	it('the error for an unreachable service names the service and says that nothing was sent', async () => {
		const { error } = await runNode(toyKit(service, 'http://127.0.0.1:1'), 'toy', {
			resource: 'thing',
			operation: 'sendSms',
			thingId: 'one',
		});
		expect(error?.message).toBe("The toy service couldn't be reached");
		expect((error as { description?: string }).description).toMatch(/Nothing was sent/);
	});

	it('the error for HTTPS to an HTTP port advises to check http or https, and says that nothing was sent', async () => {
		server.respondWith((_, response) => sendJson(response, 200, {}));
		const httpsUrl = server.url.replace('http:', 'https:');
		const { error } = await runNode(toyKit(service, httpsUrl), 'toy', {
			resource: 'thing',
			operation: 'sendSms',
			thingId: 'one',
		});
		expect(error?.message).toBe("The toy service couldn't be reached");
		expect((error as { description?: string }).description).toMatch(
			/nothing was sent: check http or https/,
		);
		expect(server.requests).toHaveLength(0);
	});

	it('the error for an unexpected status contains advice', async () => {
		server.respondWith((_, response) => sendJson(response, 405, {}));
		const { error } = await run('get');
		expect(error?.message).toBe('The toy service answered with status 405');
		expect((error as { description?: string }).description).toMatch(/Check the values/);
	});

	it('a request without a response fails at the timeout', async () => {
		server.respondWith(() => undefined);
		const startedAtMs = Date.now();
		const { error } = await run('sendSms', { options: { timeLimit: 1 } });
		expect(Date.now() - startedAtMs).toBeLessThan(5000);
		expect(error?.message).toBe('The toy service did not answer within 1 second');
		expect(server.requests).toHaveLength(1);
	});

	it.each([404, 410])(
		'a %d on the second attempt of a deletion counts as success',
		async (status) => {
			server.respondWith((_, response, count) =>
				count === 1 ? drop(response) : sendJson(response, status, {}),
			);
			const { outputItems, error } = await run('remove', { options: { longestWait: 1 } });
			expect(error).toBeUndefined();
			expect(outputItems).toEqual([{ success: true }]);
			expect(server.requests).toHaveLength(2);
		},
	);

	it('a 404 on the second attempt of a deletion counts as success after a server error', async () => {
		server.respondWith((_, response, count) => sendJson(response, count === 1 ? 500 : 404, {}));
		const { outputItems } = await run('remove', { options: { longestWait: 1 } });
		expect(outputItems).toEqual([{ success: true }]);
	});

	it('a 404 on the third attempt of a deletion counts as success if the response to the first was lost', async () => {
		server.respondWith((_, response, count) => {
			if (count === 1) return drop(response);
			return count === 2
				? sendJson(response, 429, {}, { 'retry-after': '0' })
				: sendJson(response, 404, {});
		});
		const { outputItems } = await run('remove', { options: { tries: 3, longestWait: 1 } });
		expect(outputItems).toEqual([{ success: true }]);
		expect(server.requests).toHaveLength(3);
	});

	it('a 404 on the second attempt of a deletion is an error after a 429', async () => {
		server.respondWith((_, response, count) =>
			count === 1
				? sendJson(response, 429, {}, { 'retry-after': '0' })
				: sendJson(response, 404, { message: 'No such thing' }),
		);
		const { error } = await run('remove');
		expect(error?.message).toBe('Toy service: No such thing');
		expect(server.requests).toHaveLength(2);
	});

	it('a web page with status 404 does not confirm a deletion whose response was lost', async () => {
		server.respondWith((_, response, count) => {
			if (count === 1) return drop(response);
			return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
		});
		const { error } = await run('remove', { options: { longestWait: 1 } });
		expect(error?.message).toMatch(/a web page \(status 404\)/);
	});

	it('a 404 on the first attempt of a deletion is an error', async () => {
		server.respondWith((_, response) => sendJson(response, 404, { message: 'No such thing' }));
		const { error } = await run('remove');
		expect(error?.message).toBe('Toy service: No such thing');
	});
});

describe('cancelling an execution', () => {
	it('ends the wait before a retry at once', async () => {
		failFirstRequests(9, (response) => sendJson(response, 429, {}, { 'retry-after': '30' }));
		let canceledAtMs = 0;
		const onStart = (cancel: () => void) =>
			setTimeout(() => {
				canceledAtMs = Date.now();
				cancel();
			}, 500);
		await run('get', {}, [{}], { onStart }).catch(() => undefined);
		expect(canceledAtMs).toBeGreaterThan(0);
		expect(Date.now() - canceledAtMs).toBeLessThan(5000);
		expect(server.requests).toHaveLength(1);
	});
});

import type { IDataObject } from 'n8n-workflow';

import { sendJson } from '../../support/toy';
import {
	respondFailed,
	namedItems,
	dropConnection,
	nameInRequest,
	respondRejected,
	retryOnFailSettings,
	useRetriedService,
} from './retriedService';

// n8n runs a node again as a whole when it fails (Retry On Fail). A request that was sent must not be sent again.

const { server, run, sentNames, failFirstAttempt } = useRetriedService();
const retryAndContinue = { ...retryOnFailSettings, onError: 'continueRegularOutput' as const };

describe('a run repeated by Retry On Fail', () => {
	it('sends only the items that were rejected', async () => {
		failFirstAttempt({ b: respondRejected });
		const { outputItems, error } = await run('make', namedItems('a', 'b', 'c'));
		expect(error).toBeUndefined();
		expect(sentNames()).toEqual(['a', 'b', 'b', 'c']);
		expect(outputItems).toEqual([
			{ count: 1, name: 'a' },
			{ count: 3, name: 'b' },
			{ count: 4, name: 'c' },
		]);
	});

	it.each([
		['lost', dropConnection, /broke before it answered/],
		['a failure of the service', respondFailed, /Oh no/],
	])(
		'does not send an item again whose response was %s, and fails with the same error',
		async (_, way, message) => {
			failFirstAttempt({ b: way });
			const { error } = await run('make', namedItems('a', 'b', 'c'));
			expect(sentNames()).toEqual(['a', 'b']);
			expect(error!.message).toMatch(message);
			expect((error as { description?: string }).description).toMatch(
				/unclear whether the thing was made/,
			);
		},
	);

	it.each([
		['rejected', respondRejected, ['a', 'b', 'c', 'a'], undefined],
		['lost', dropConnection, ['a', 'b', 'c'], /broke before it answered/],
	])(
		'sends only a rejected item again with Continue On Fail: the first was %s',
		async (_, way, requests, error) => {
			failFirstAttempt({ a: way });
			const { outputItems } = await run('make', namedItems('a', 'b', 'c'), retryAndContinue);
			expect(sentNames()).toEqual(requests);
			expect(outputItems).toHaveLength(3);
			expect(outputItems.slice(1)).toEqual([
				{ count: 2, name: 'b' },
				{ count: 3, name: 'c' },
			]);
			if (error) expect(outputItems[0]!.error).toMatch(error);
			else expect(outputItems[0]).toEqual({ count: 4, name: 'a' });
		},
	);

	it('sends both of two items with equal contents', async () => {
		failFirstAttempt({ b: respondRejected });
		const { outputItems } = await run('make', namedItems('a', 'a', 'b'));
		expect(sentNames()).toEqual(['a', 'a', 'b', 'b']);
		expect(outputItems).toHaveLength(3);
	});

	it('does not send an item again whose expressions now return other values', async () => {
		failFirstAttempt({ b: respondRejected });
		const { error } = await run('make', namedItems('a', 'b'), retryOnFailSettings, {
			moment: '={{ $now }}',
		});
		expect(error).toBeUndefined();
		expect(sentNames()).toEqual(['a', 'b', 'b']);
		// A rejected request was not carried out: it is sent again with the current value.
		const moments = server.requests.map(({ body }) => (JSON.parse(body) as IDataObject).moment);
		expect(moments).toEqual(['0', '1', '2']);
	});

	it('does not fail a finished item, whatever its expressions return now', async () => {
		failFirstAttempt({ b: respondRejected });
		const { error, outputItems } = await run('make', namedItems('a', 'b'), retryOnFailSettings, {
			moment: '={{ $json.name === "a" ? "expires" : "" }}',
		});
		expect(error).toBeUndefined();
		expect(outputItems[0]).toEqual({ count: 1, name: 'a' });
	});

	it('does not delete a record twice', async () => {
		failFirstAttempt({ b: respondRejected });
		const { outputItems, error } = await run('remove', namedItems('a', 'b'));
		expect(error).toBeUndefined();
		expect(sentNames()).toEqual(['a', 'b', 'b']);
		expect(outputItems).toHaveLength(2);
	});

	it('reads again for operations that only read', async () => {
		failFirstAttempt({ b: respondRejected });
		await run('get', namedItems('a', 'b'), retryOnFailSettings, { options: { itemsAtATime: 1 } });
		expect(sentNames()).toEqual(['a', 'b', 'a', 'b']);
	});

	it('reads again only once for equal items if results are shared', async () => {
		failFirstAttempt({ b: respondRejected });
		const options = { itemsAtATime: 1, askOnce: true };
		const { outputItems } = await run('get', namedItems('a', 'a', 'b'), retryOnFailSettings, {
			options,
		});
		expect(sentNames()).toEqual(['a', 'b', 'a', 'b']);
		expect(outputItems).toHaveLength(3);
	});

	it('continues within an item that sends several requests', async () => {
		let payments = 0;
		server.respondWith(({ url }, response, count) =>
			url === '/pay/a' && ++payments === 1
				? respondRejected(response)
				: sendJson(response, 200, { count }),
		);
		const { outputItems, hints } = await run('book', namedItems('a', 'b'));
		expect(server.requests.map(({ url }) => url)).toEqual([
			'/reserve/a',
			'/look',
			'/pay/a',
			'/look',
			'/pay/a',
			'/reserve/b',
			'/look',
			'/pay/b',
		]);
		expect(outputItems[0]).toEqual({ reserved: { count: 1 }, paid: { count: 5 } });
		expect(hints.map(({ message }) => message)).toEqual(['Reserved a', 'Reserved b']);
	});

	it('shows the hints of items that it does not send again', async () => {
		let payments = 0;
		server.respondWith(({ url }, response) =>
			url === '/pay/b' && ++payments === 1
				? respondRejected(response)
				: sendJson(response, 200, { ok: 1 }),
		);
		const { hints } = await run('book', namedItems('a', 'b'));
		expect(hints.map(({ message }) => message)).toEqual(['Reserved a', 'Reserved b']);
	});

	it('keeps secrets out of the repeated error', async () => {
		server.respondWith(({ body }, response) =>
			sendJson(response, 500, { message: `Bad: ${body}` }),
		);
		const { error } = await run('spend', namedItems('secret-4711'));
		expect(server.requests).toHaveLength(1);
		expect(error!.message).toBe('Toy service: Bad: {"name":"•••"}');
	});

	it('ends after the number of tries that n8n makes', async () => {
		server.respondWith((request, response) =>
			nameInRequest(request) === 'b' ? respondRejected(response) : sendJson(response, 200, {}),
		);
		const { error } = await run('make', namedItems('a', 'b', 'c'));
		expect(sentNames()).toEqual(['a', 'b', 'b', 'b']);
		expect(error!.message).toBe('Toy service: Not now [item 1]');
	});

	it('sends everything again in another execution', async () => {
		server.respondWith((_, response) => sendJson(response, 200, {}));
		await run('make', namedItems('a'));
		await run('make', namedItems('a'));
		expect(sentNames()).toEqual(['a', 'a']);
	});
});

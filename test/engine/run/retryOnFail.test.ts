// Protects services from double writes when n8n runs a failed node again as a whole (Retry On Fail): a request that was or
// may have been carried out is not sent again, and a rejected one is.
import type { IDataObject } from 'n8n-workflow';

import { sendJson } from '../../support/toy';
import {
	respondWithFailure,
	namedItems,
	dropConnection,
	readName,
	respondWithRejection,
	retryOnFailSettings,
	useRetriedService,
} from './retriedService';

const { server, run, readSentNames, failFirstAttempt } = useRetriedService();
const retryAndContinue = { ...retryOnFailSettings, onError: 'continueRegularOutput' as const };

describe('a run repeated by Retry On Fail', () => {
	it('repeats only the items that were rejected, and sends the items that were not reached', async () => {
		failFirstAttempt({ b: respondWithRejection });
		const { outputItems, error } = await run('make', namedItems('a', 'b', 'c'));
		expect(error).toBeUndefined();
		expect(readSentNames()).toEqual(['a', 'b', 'b', 'c']);
		expect(outputItems).toEqual([
			{ count: 1, name: 'a' },
			{ count: 3, name: 'b' },
			{ count: 4, name: 'c' },
		]);
	});

	it.each([
		['lost', dropConnection, /broke before it answered/],
		['a failure of the service', respondWithFailure, /Oh no/],
	])(
		'keeps the error of an item whose response was %s, and does not send it again',
		async (_, respond, message) => {
			failFirstAttempt({ b: respond });
			const { error } = await run('make', namedItems('a', 'b', 'c'));
			expect(readSentNames()).toEqual(['a', 'b']);
			expect(error!.message).toMatch(message);
			expect((error as { description?: string }).description).toMatch(
				/unclear whether the thing was made/,
			);
		},
	);

	it.each([
		['rejected', respondWithRejection, ['a', 'b', 'c', 'a'], undefined],
		['lost', dropConnection, ['a', 'b', 'c'], /broke before it answered/],
	])(
		'repeats an item with Continue On Fail only if it was rejected: the first item was %s',
		async (_, respond, requests, error) => {
			failFirstAttempt({ a: respond });
			const { outputItems } = await run('make', namedItems('a', 'b', 'c'), retryAndContinue);
			expect(readSentNames()).toEqual(requests);
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
		failFirstAttempt({ b: respondWithRejection });
		const { outputItems } = await run('make', namedItems('a', 'a', 'b'));
		expect(readSentNames()).toEqual(['a', 'a', 'b', 'b']);
		expect(outputItems).toHaveLength(3);
	});

	it('does not repeat a finished item whose expressions now return other values', async () => {
		failFirstAttempt({ b: respondWithRejection });
		const { error } = await run('make', namedItems('a', 'b'), retryOnFailSettings, {
			moment: '={{ $now }}',
		});
		expect(error).toBeUndefined();
		expect(readSentNames()).toEqual(['a', 'b', 'b']);
		// A rejected request was not carried out: it is sent again with the current value.
		const moments = server.requests.map(({ body }) => (JSON.parse(body) as IDataObject).moment);
		expect(moments).toEqual(['0', '1', '2']);
	});

	it('does not fail a finished item whose expressions now return an invalid value', async () => {
		failFirstAttempt({ b: respondWithRejection });
		const { error, outputItems } = await run('make', namedItems('a', 'b'), retryOnFailSettings, {
			moment: '={{ $json.name === "a" ? "expires" : "" }}',
		});
		expect(error).toBeUndefined();
		expect(outputItems[0]).toEqual({ count: 1, name: 'a' });
	});

	it('does not delete a record twice', async () => {
		failFirstAttempt({ b: respondWithRejection });
		const { outputItems, error } = await run('remove', namedItems('a', 'b'));
		expect(error).toBeUndefined();
		expect(readSentNames()).toEqual(['a', 'b', 'b']);
		expect(outputItems).toHaveLength(2);
	});

	it('repeats every request of an operation that only reads', async () => {
		failFirstAttempt({ b: respondWithRejection });
		await run('get', namedItems('a', 'b'), retryOnFailSettings, { options: { itemsAtATime: 1 } });
		expect(readSentNames()).toEqual(['a', 'b', 'a', 'b']);
	});

	it('repeats one read for equal items if they share results', async () => {
		failFirstAttempt({ b: respondWithRejection });
		const options = { itemsAtATime: 1, askOnce: true };
		const { outputItems } = await run('get', namedItems('a', 'a', 'b'), retryOnFailSettings, {
			options,
		});
		expect(readSentNames()).toEqual(['a', 'b', 'a', 'b']);
		expect(outputItems).toHaveLength(3);
	});

	it('repeats only the reads and the rejected request of an item with several requests', async () => {
		let paymentCount = 0;
		server.respondWith(({ url }, response, count) =>
			url === '/pay/a' && ++paymentCount === 1
				? respondWithRejection(response)
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

	it('shows the hints of finished items', async () => {
		let paymentCount = 0;
		server.respondWith(({ url }, response) =>
			url === '/pay/b' && ++paymentCount === 1
				? respondWithRejection(response)
				: sendJson(response, 200, { ok: 1 }),
		);
		const { hints } = await run('book', namedItems('a', 'b'));
		expect(hints.map(({ message }) => message)).toEqual(['Reserved a', 'Reserved b']);
	});

	it('hides secrets in the repeated error', async () => {
		server.respondWith(({ body }, response) =>
			sendJson(response, 500, { message: `Bad: ${body}` }),
		);
		const { error } = await run('spend', namedItems('secret-4711'));
		expect(server.requests).toHaveLength(1);
		expect(error!.message).toBe('Toy service: Bad: {"name":"•••"}');
	});

	it('fails after the maximum number of tries', async () => {
		server.respondWith((request, response) =>
			readName(request) === 'b' ? respondWithRejection(response) : sendJson(response, 200, {}),
		);
		const { error } = await run('make', namedItems('a', 'b', 'c'));
		expect(readSentNames()).toEqual(['a', 'b', 'b', 'b']);
		expect(error!.message).toBe('Row 2 of 3: Toy service: Not now');
	});

	it('does not affect another execution, which sends every item', async () => {
		server.respondWith((_, response) => sendJson(response, 200, {}));
		await run('make', namedItems('a'));
		await run('make', namedItems('a'));
		expect(readSentNames()).toEqual(['a', 'a']);
	});
});

import type { IDataObject } from 'n8n-workflow';

import { json } from '../../support/toy';
import { failed, items, lost, nameIn, rejected, retry, useRetriedService } from './retriedService';

// n8n runs a node again as a whole when it fails (Retry On Fail). A request that was sent must not be sent again.

const { server, run, sent, failFirst } = useRetriedService();
const onward = { ...retry, onError: 'continueRegularOutput' as const };

describe('a run repeated by Retry On Fail', () => {
	it('sends only the items that were rejected', async () => {
		failFirst({ b: rejected });
		const { out, error } = await run('make', items('a', 'b', 'c'));
		expect(error).toBeUndefined();
		expect(sent()).toEqual(['a', 'b', 'b', 'c']);
		expect(out).toEqual([
			{ count: 1, name: 'a' },
			{ count: 3, name: 'b' },
			{ count: 4, name: 'c' },
		]);
	});

	it.each([
		['lost', lost, /broke before it answered/],
		['a failure of the service', failed, /Oh no/],
	])(
		'does not send an item again whose response was %s, and fails with the same error',
		async (_, way, message) => {
			failFirst({ b: way });
			const { error } = await run('make', items('a', 'b', 'c'));
			expect(sent()).toEqual(['a', 'b']);
			expect(error!.message).toMatch(message);
			expect((error as { description?: string }).description).toMatch(
				/unclear whether the thing was made/,
			);
		},
	);

	it.each([
		['rejected', rejected, ['a', 'b', 'c', 'a'], undefined],
		['lost', lost, ['a', 'b', 'c'], /broke before it answered/],
	])(
		'with Continue On Fail sends correctly if the first item was %s',
		async (_, way, requests, error) => {
			failFirst({ a: way });
			const { out } = await run('make', items('a', 'b', 'c'), onward);
			expect(sent()).toEqual(requests);
			expect(out).toHaveLength(3);
			expect(out.slice(1)).toEqual([
				{ count: 2, name: 'b' },
				{ count: 3, name: 'c' },
			]);
			if (error) expect(out[0]!.error).toMatch(error);
			else expect(out[0]).toEqual({ count: 4, name: 'a' });
		},
	);

	it('sends both of two items with equal contents', async () => {
		failFirst({ b: rejected });
		const { out } = await run('make', items('a', 'a', 'b'));
		expect(sent()).toEqual(['a', 'a', 'b', 'b']);
		expect(out).toHaveLength(3);
	});

	it('does not send an item again whose expressions now return other values', async () => {
		failFirst({ b: rejected });
		const { error } = await run('make', items('a', 'b'), retry, { moment: '={{ $now }}' });
		expect(error).toBeUndefined();
		expect(sent()).toEqual(['a', 'b', 'b']);
		// A rejected request was not carried out: it is sent again with the current value.
		const moments = server.received.map(({ body }) => (JSON.parse(body) as IDataObject).moment);
		expect(moments).toEqual(['0', '1', '2']);
	});

	it('does not fail a finished item, whatever its expressions return now', async () => {
		failFirst({ b: rejected });
		const { error, out } = await run('make', items('a', 'b'), retry, {
			moment: '={{ $json.name === "a" ? "expires" : "" }}',
		});
		expect(error).toBeUndefined();
		expect(out[0]).toEqual({ count: 1, name: 'a' });
	});

	it('does not delete a record twice, which would not be found', async () => {
		failFirst({ b: rejected });
		const { out, error } = await run('remove', items('a', 'b'));
		expect(error).toBeUndefined();
		expect(sent()).toEqual(['a', 'b', 'b']);
		expect(out).toHaveLength(2);
	});

	it('reads again for operations that only read', async () => {
		failFirst({ b: rejected });
		await run('get', items('a', 'b'), retry, { options: { itemsAtATime: 1 } });
		expect(sent()).toEqual(['a', 'b', 'a', 'b']);
	});

	it('reads again only once for equal items if results are shared', async () => {
		failFirst({ b: rejected });
		const options = { itemsAtATime: 1, askOnce: true };
		const { out } = await run('get', items('a', 'a', 'b'), retry, { options });
		expect(sent()).toEqual(['a', 'b', 'a', 'b']);
		expect(out).toHaveLength(3);
	});

	it('continues within an item that sends several requests', async () => {
		let payments = 0;
		server.respondWith(({ url }, response, count) =>
			url === '/pay/a' && ++payments === 1 ? rejected(response) : json(response, 200, { count }),
		);
		const { out, hints } = await run('book', items('a', 'b'));
		expect(server.received.map(({ url }) => url)).toEqual([
			'/reserve/a',
			'/look',
			'/pay/a',
			'/look',
			'/pay/a',
			'/reserve/b',
			'/look',
			'/pay/b',
		]);
		expect(out[0]).toEqual({ reserved: { count: 1 }, paid: { count: 5 } });
		expect(hints.map(({ message }) => message)).toEqual(['Reserved a', 'Reserved b']);
	});

	it('shows the hints of items that it does not send again', async () => {
		let payments = 0;
		server.respondWith(({ url }, response) =>
			url === '/pay/b' && ++payments === 1 ? rejected(response) : json(response, 200, { ok: 1 }),
		);
		const { hints } = await run('book', items('a', 'b'));
		expect(hints.map(({ message }) => message)).toEqual(['Reserved a', 'Reserved b']);
	});

	it('keeps secrets out of the repeated error', async () => {
		server.respondWith(({ body }, response) => json(response, 500, { message: `Bad: ${body}` }));
		const { error } = await run('spend', items('secret-4711'));
		expect(server.received).toHaveLength(1);
		expect(error!.message).toBe('Toy service: Bad: {"name":"•••"}');
	});

	it('ends after the number of tries that n8n makes', async () => {
		server.respondWith((request, response) =>
			nameIn(request) === 'b' ? rejected(response) : json(response, 200, {}),
		);
		const { error } = await run('make', items('a', 'b', 'c'));
		expect(sent()).toEqual(['a', 'b', 'b', 'b']);
		expect(error!.message).toBe('Toy service: Not now [item 1]');
	});

	it('sends everything again in another execution', async () => {
		server.respondWith((_, response) => json(response, 200, {}));
		await run('make', items('a'));
		await run('make', items('a'));
		expect(sent()).toEqual(['a', 'a']);
	});
});

// Protects items that contain the record of their owner: it is read despite a short outage, and only once.
import { Client, connectionOf } from '../../../../nodes/engine/http/client';
import { OwnerLookup } from '../../../../nodes/engine/trigger/lists/ownerLookup';
import { toyService } from '../../../support/toy';

it('a lookup of an owner is repeated after an outage, and its record is cached', async () => {
	const statuses = [503, 200];
	let requestCount = 0;
	const connection = connectionOf(
		toyService({}),
		{ baseUrl: 'http://localhost', apiKey: 'key' },
		async () =>
			await Promise.resolve({
				statusCode: statuses[Math.min(requestCount++, 1)]!,
				headers: {
					'content-type': 'application/json',
					'retry-after': '0',
					date: 'Tue, 17 Nov 2026 10:00:00 GMT',
				},
				body: JSON.stringify({ id: 7, name: 'Seven' }),
			}),
	);
	const client = new Client(connection, { maxAttempts: 2, maxRetryDelayMs: 10, timeoutMs: 5000 });
	const lookup = new OwnerLookup('/things/{id}', { identify: ({ id }) => id });
	const found = { record: { id: 7, name: 'Seven' }, isGone: false };
	expect(await lookup.get(client, '7')).toEqual({ ...found, date: Date.UTC(2026, 10, 17, 10) });
	expect(requestCount).toBe(2);
	expect(await lookup.get(client, '7')).toEqual(found);
	expect(requestCount).toBe(2);
});

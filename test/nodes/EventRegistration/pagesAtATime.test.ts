// Protects reading several pages at a time: all records are output in order, and few extra pages are requested.
import { locateById } from '../../support/locators';
import { sendJson } from '../../support/toy';
import { useFake } from './fakeService';

const PAGE_SIZE = 200;

const fake = useFake();

describe('Pages at a Time', () => {
	const orders = Array.from({ length: 9 * PAGE_SIZE + 7 }, (_, index) => ({ OrderId: index + 1 }));
	const getMany = async (parameters: object) => {
		const requestedPages: number[] = [];
		let openRequests = 0;
		let mostOpenRequests = 0;
		fake.server.respondWith(({ url }, response) => {
			const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
			requestedPages.push(page);
			mostOpenRequests = Math.max(mostOpenRequests, ++openRequests);
			// Slow enough that the requests of several pages overlap.
			setTimeout(() => {
				openRequests--;
				sendJson(response, 200, orders.slice(PAGE_SIZE * (page - 1), PAGE_SIZE * page));
			}, 100);
		});
		const list = { resource: 'order', operation: 'getManyForEvent', eventId: locateById(1) };
		const { outputItems, error } = await fake.run({ ...list, ...parameters });
		expect(error).toBeUndefined();
		return { ids: outputItems.map(({ OrderId }) => OrderId), requestedPages, mostOpenRequests };
	};

	it('no page is prefetched if a limit is set', async () => {
		const { ids, requestedPages } = await getMany({ limit: 201, options: { pagesAtATime: 4 } });
		expect(ids).toHaveLength(201);
		expect(new Set(requestedPages).size).toBe(2);
	});

	it('four pages are read at a time, and all records are returned in order with at most three extra requests', async () => {
		const { ids, requestedPages, mostOpenRequests } = await getMany({
			returnAll: true,
			options: { pagesAtATime: 4 },
		});
		expect(ids).toEqual(orders.map(({ OrderId }) => OrderId));
		expect(mostOpenRequests).toBe(4);
		// The list has 10 pages, so at most 3 pages after its end are requested.
		expect(new Set(requestedPages).size).toBeLessThanOrEqual(13);
	});
});

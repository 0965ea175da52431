// Protects reading several pages at a time: all records are output in order, and few extra pages are requested.
import { locateById } from '../../support/locators';
import { useFake } from './fakeService';

const PAGE_SIZE = 200;

const fake = useFake();

describe('Pages at a Time', () => {
	const orders = Array.from({ length: 9 * PAGE_SIZE + 7 }, (_, index) => ({ OrderId: index + 1 }));
	const getMany = async (parameters: object) => {
		const requestedPages: number[] = [];
		fake.respondWith(({ url }) => {
			const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
			requestedPages.push(page);
			return { body: orders.slice(PAGE_SIZE * (page - 1), PAGE_SIZE * page) };
		});
		const list = { resource: 'order', operation: 'getManyForEvent', eventId: locateById(1) };
		const { outputItems, error } = await fake.run({ ...list, ...parameters });
		expect(error).toBeUndefined();
		return { ids: outputItems.map(({ OrderId }) => OrderId), requestedPages };
	};

	it('no page is prefetched if a limit is set', async () => {
		const { ids, requestedPages } = await getMany({ limit: 201, options: { pagesAtATime: 4 } });
		expect(ids).toHaveLength(201);
		expect(new Set(requestedPages).size).toBe(2);
	});

	it('all records are returned in order, with at most three extra requests', async () => {
		const { ids, requestedPages } = await getMany({
			returnAll: true,
			options: { pagesAtATime: 4 },
		});
		expect(ids).toEqual(orders.map(({ OrderId }) => OrderId));
		// The list has 10 pages, so at most 3 pages after its end are requested.
		expect(new Set(requestedPages).size).toBeLessThanOrEqual(13);
	});
});

import { useFake } from './fake';
import { byId } from './samples';

const SIZE = 200;

const fake = useFake();

describe('Pages at a Time', () => {
	const all = Array.from({ length: 9 * SIZE + 7 }, (_, index) => ({ OrderId: index + 1 }));
	const getMany = async (given: object) => {
		const asked: number[] = [];
		fake.respondWith(({ url }) => {
			const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
			asked.push(page);
			return { body: all.slice(SIZE * (page - 1), SIZE * page) };
		});
		const list = { resource: 'order', operation: 'getManyForEvent', eventId: byId(1) };
		const { outputItems, error } = await fake.run({ ...list, ...given });
		expect(error).toBeUndefined();
		return { ids: outputItems.map(({ OrderId }) => OrderId), asked };
	};

	it('prefetches no page if a limit is set', async () => {
		const { ids, asked } = await getMany({ limit: 201, options: { pagesAtATime: 4 } });
		expect(ids).toHaveLength(201);
		expect(new Set(asked).size).toBe(2);
	});

	it('returns all records in order, with a few extra requests at most', async () => {
		const { ids, asked } = await getMany({ returnAll: true, options: { pagesAtATime: 4 } });
		expect(ids).toEqual(all.map(({ OrderId }) => OrderId));
		expect(new Set(asked).size).toBeLessThanOrEqual(13);
	});
});

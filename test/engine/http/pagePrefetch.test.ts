import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Client } from '../../../nodes/engine/http/client';
import { readPages } from '../../../nodes/engine/http/pages';
import type { Paging } from '../../../nodes/engine/http/pages';
import type { FirstPage } from '../../../nodes/engine/http/types';

const SIZE = 5;

interface Fake {
	total: number;
	firstPage: 0 | 1;
	/** Response to a page beyond the last one. */
	behind?: 'empty' | 'last page again' | 'rejects';
	/** Gives its answers in this order, by turns: a number of ticks that each takes. */
	ticks?: number[];
	/** Which requests it answers with "slow down" first. */
	busyAt?: number[];
	counts?: boolean;
}

let accountCount = 0;

/** A service with one list, and its client. Records the requested pages and the highest concurrency. */
function serviceOf({ total, firstPage, behind = 'empty', ticks = [0], busyAt = [], counts }: Fake) {
	const allRecords = Array.from({ length: total }, (_, id): IDataObject => ({ id }));
	const requestedPages: Array<number | undefined> = [];
	const rateLimitedRequests = new Set(busyAt);
	let atOnce = 0;
	let mostAtOnce = 0;
	const transmit = async ({ url }: { url: string }) => {
		const number = new URL(url).searchParams.get('page');
		const requestNumber = requestedPages.push(number === null ? undefined : Number(number));
		atOnce += 1;
		mostAtOnce = Math.max(mostAtOnce, atOnce);
		for (let tick = ticks[requestNumber % ticks.length]!; tick > 0; tick--) await Promise.resolve();
		atOnce -= 1;
		if (rateLimitedRequests.delete(requestNumber))
			return responseOf(429, { message: 'slow down' }, { 'retry-after': '0' });
		const index = number === null ? 0 : Number(number) - firstPage;
		const pages = Math.max(1, Math.ceil(total / SIZE));
		if (index >= pages && behind === 'rejects') return responseOf(404, { message: 'no such page' });
		const pageIndex =
			index >= pages && behind === 'last page again' ? pages - 1 : Math.max(0, index);
		const records = allRecords.slice(pageIndex * SIZE, (pageIndex + 1) * SIZE);
		return responseOf(200, counts ? { data: records, total } : records);
	};
	const client = new Client(
		{
			service: {
				name: 'service',
				credentialType: 'none',
				secretFields: [],
				explain: () => ({}),
				firstPage: ({ first }) => first as FirstPage,
			},
			baseUrl: 'http://127.0.0.1',
			credential: { first: firstPage },
			secrets: new Set(),
			// Requests with the same account key share their pauses.
			accountKey: `pages ahead ${accountCount++}`,
			transmit,
		},
		{ maxAttempts: 3, maxRetryDelayMs: 1000, timeoutMs: 10_000 },
	);
	return { allRecords, requestedPages, client, mostAtOnce: () => mostAtOnce };
}

const responseOf = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
	statusCode: status,
	headers: { 'content-type': 'application/json', ...headers },
	body: JSON.stringify(body),
});

const paging: Paging = {
	pageParameter: 'page',
	size: { name: 'pageSize', max: SIZE },
	identify: ({ id }) => id,
};
const pagingWithTotal: Paging = {
	...paging,
	total: (body) => (body as { total?: number }).total,
};

async function read(
	{ client }: ReturnType<typeof serviceOf>,
	pagesAtATime: number,
	pagingOptions: Paging = paging,
) {
	const found: IDataObject[] = [];
	const warnings: string[] = [];
	const warn = (message: string) => warnings.push(message);
	const request = { method: 'GET' as const, path: '/things', idempotent: true };
	for await (const page of readPages(client, request, {
		paging: pagingOptions,
		pagesAtATime,
		warn,
	})) {
		found.push(...page);
	}
	return { found, warnings };
}

describe('prefetching pages', () => {
	const fakes = fc.record({
		total: fc.integer({ min: 0, max: 60 }),
		firstPage: fc.constantFrom(0 as const, 1 as const),
		behind: fc.constantFrom('empty' as const, 'last page again' as const),
		ticks: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 7 }),
	});

	it('returns the same as reading page by page, in whatever order responses arrive', async () => {
		await fc.assert(
			fc.asyncProperty(fakes, fc.integer({ min: 2, max: 10 }), async (fake, atATime) => {
				const sequential = serviceOf(fake);
				const prefetched = serviceOf(fake);
				const expected = await read(sequential, 1);
				expect(await read(prefetched, atATime)).toEqual(expected);
				expect(expected.found).toEqual(sequential.allRecords);
				expect(prefetched.mostAtOnce()).toBeLessThanOrEqual(atATime);
				expect(prefetched.requestedPages.length).toBeLessThan(
					sequential.requestedPages.length + atATime,
				);
			}),
		);
	});

	it('requests the first page alone, then several at once', async () => {
		const service = serviceOf({ total: 42, firstPage: 1, ticks: [50] });
		await read(service, 4);
		expect(service.requestedPages.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
		expect(service.mostAtOnce()).toBe(4);
		const short = serviceOf({ total: 3, firstPage: 1 });
		await read(short, 4);
		expect(short.requestedPages).toEqual([1]);
	});

	it('ignores a rejected page after the last one', async () => {
		const service = serviceOf({ total: 42, firstPage: 1, behind: 'rejects' });
		const { found, warnings } = await read(service, 10);
		expect(found).toEqual(service.allRecords);
		expect(warnings).toEqual([]);
	});

	it('continues page by page after the service was rate-limited', async () => {
		const service = serviceOf({ total: 100, firstPage: 1, ticks: [30], busyAt: [3] });
		const { found } = await read(service, 5);
		expect(found).toEqual(service.allRecords);
		// The first page, five at once, the rate-limited one again, and the rest sequentially, with none after the end.
		expect([...new Set(service.requestedPages)]).toEqual(
			Array.from({ length: 21 }, (_, index) => index + 1),
		);
		expect(service.requestedPages).toHaveLength(22);
	});

	it('fails as reading page by page does if a page cannot be read', async () => {
		const service = serviceOf({ total: 100, firstPage: 1 });
		const transmit = service.client.connection.transmit;
		const connection = {
			...service.client.connection,
			transmit: async (...args: Parameters<typeof transmit>) =>
				args[0].url.includes('page=4&') || args[0].url.endsWith('page=4')
					? responseOf(403, { message: 'not yours' })
					: await transmit(...args),
		};
		const client = new Client(connection, service.client.options);
		await expect(read({ ...service, client }, 6)).rejects.toThrow('status 403');
	});

	it('adds a hint if the list ends before the total that the service reports', async () => {
		const service = serviceOf({ total: 23, firstPage: 1, counts: true });
		expect((await read(service, 4, pagingWithTotal)).warnings).toEqual([]);
		const wrongTotal: Paging = { ...pagingWithTotal, total: () => 30 };
		const again = serviceOf({ total: 23, firstPage: 1, counts: true });
		expect((await read(again, 4, wrongTotal)).warnings).toEqual([
			expect.stringContaining('30 records, but returned 23'),
		]);
	});
});

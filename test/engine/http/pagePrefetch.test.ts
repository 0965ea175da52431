// Protects lists whose pages are requested concurrently: they yield the records and hints of reading page by page.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Client } from '../../../nodes/engine/http/client';
import { readPages } from '../../../nodes/engine/http/pages';
import type { Paging } from '../../../nodes/engine/http/pages';
import type { FirstPage } from '../../../nodes/engine/http/types';

const PAGE_SIZE = 5;

interface FakeList {
	total: number;
	firstPage: 0 | 1;
	/** Response to a page beyond the last one. */
	afterLastPage?: 'empty' | 'last page again' | 'rejects';
	/** Number of microtask turns that each response takes; the list is repeated. */
	ticks?: number[];
	/** Numbers of the requests that the service rejects with status 429. */
	rateLimitedAt?: number[];
	/** Whether each response contains the total number of records. */
	reportsTotal?: boolean;
}

let accountCount = 0;

/** A service with one list, and its client. Records the requested pages and the highest concurrency. */
function createFakeService({
	total,
	firstPage,
	afterLastPage = 'empty',
	ticks = [0],
	rateLimitedAt = [],
	reportsTotal,
}: FakeList) {
	const allRecords = Array.from({ length: total }, (_, id): IDataObject => ({ id }));
	const requestedPages: Array<number | undefined> = [];
	const rateLimitedRequests = new Set(rateLimitedAt);
	let runningCount = 0;
	let maxRunning = 0;
	const transmit = async ({ url }: { url: string }) => {
		const pageText = new URL(url).searchParams.get('page');
		const requestNumber = requestedPages.push(pageText === null ? undefined : Number(pageText));
		runningCount += 1;
		maxRunning = Math.max(maxRunning, runningCount);
		for (let tick = ticks[requestNumber % ticks.length]!; tick > 0; tick--) await Promise.resolve();
		runningCount -= 1;
		if (rateLimitedRequests.delete(requestNumber))
			return createResponse(429, { message: 'slow down' }, { 'retry-after': '0' });
		const index = pageText === null ? 0 : Number(pageText) - firstPage;
		const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE));
		if (index >= pageCount && afterLastPage === 'rejects')
			return createResponse(404, { message: 'no such page' });
		const pageIndex =
			index >= pageCount && afterLastPage === 'last page again'
				? pageCount - 1
				: Math.max(0, index);
		const records = allRecords.slice(pageIndex * PAGE_SIZE, (pageIndex + 1) * PAGE_SIZE);
		return createResponse(200, reportsTotal ? { data: records, total } : records);
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
	return { allRecords, requestedPages, client, maxRunning: () => maxRunning };
}

const createResponse = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
	statusCode: status,
	headers: { 'content-type': 'application/json', ...headers },
	body: JSON.stringify(body),
});

const paging: Paging = {
	pageParameter: 'page',
	size: { name: 'pageSize', max: PAGE_SIZE },
	identify: ({ id }) => id,
};
const pagingWithTotal: Paging = {
	...paging,
	total: (body) => (body as { total?: number }).total,
};

async function readAllPages(
	{ client }: ReturnType<typeof createFakeService>,
	pageConcurrency: number,
	pagingOptions: Paging = paging,
) {
	const found: IDataObject[] = [];
	const warnings: string[] = [];
	const warn = (message: string) => warnings.push(message);
	const request = { method: 'GET' as const, path: '/things', idempotent: true };
	for await (const page of readPages(client, request, {
		paging: pagingOptions,
		pageConcurrency,
		warn,
	})) {
		found.push(...page);
	}
	return { found, warnings };
}

describe('prefetching pages', () => {
	const anyList = fc.record({
		total: fc.integer({ min: 0, max: 60 }),
		firstPage: fc.constantFrom(0 as const, 1 as const),
		afterLastPage: fc.constantFrom('empty' as const, 'last page again' as const),
		ticks: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 7 }),
	});

	it('returns the records and hints of reading page by page, in whatever order responses arrive', async () => {
		await fc.assert(
			fc.asyncProperty(anyList, fc.integer({ min: 2, max: 10 }), async (fake, atATime) => {
				const sequential = createFakeService(fake);
				const prefetched = createFakeService(fake);
				const expected = await readAllPages(sequential, 1);
				expect(await readAllPages(prefetched, atATime)).toEqual(expected);
				expect(expected.found).toEqual(sequential.allRecords);
				expect(prefetched.maxRunning()).toBeLessThanOrEqual(atATime);
				expect(prefetched.requestedPages.length).toBeLessThan(
					sequential.requestedPages.length + atATime,
				);
			}),
		);
	});

	it('requests the first page alone, then several pages at once', async () => {
		const service = createFakeService({ total: 42, firstPage: 1, ticks: [50] });
		await readAllPages(service, 4);
		expect(service.requestedPages.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
		expect(service.maxRunning()).toBe(4);
		const short = createFakeService({ total: 3, firstPage: 1 });
		await readAllPages(short, 4);
		expect(short.requestedPages).toEqual([1]);
	});

	it('ignores a rejected page after the last page', async () => {
		const service = createFakeService({ total: 42, firstPage: 1, afterLastPage: 'rejects' });
		const { found, warnings } = await readAllPages(service, 10);
		expect(found).toEqual(service.allRecords);
		expect(warnings).toEqual([]);
	});

	it('continues page by page after the service was rate-limited', async () => {
		const service = createFakeService({
			total: 100,
			firstPage: 1,
			ticks: [30],
			rateLimitedAt: [3],
		});
		const { found } = await readAllPages(service, 5);
		expect(found).toEqual(service.allRecords);
		// The first page, five at once, the rate-limited one again, and the rest sequentially, up to the empty
		// page 21, which shows the end.
		expect([...new Set(service.requestedPages)]).toEqual(
			Array.from({ length: 21 }, (_, index) => index + 1),
		);
		expect(service.requestedPages).toHaveLength(22);
	});

	it('fails with the error of a page that cannot be read', async () => {
		const service = createFakeService({ total: 100, firstPage: 1 });
		const transmit = service.client.connection.transmit;
		const connection = {
			...service.client.connection,
			transmit: async (...args: Parameters<typeof transmit>) =>
				args[0].url.includes('page=4&') || args[0].url.endsWith('page=4')
					? createResponse(403, { message: 'not yours' })
					: await transmit(...args),
		};
		const client = new Client(connection, service.client.options);
		await expect(readAllPages({ ...service, client }, 6)).rejects.toThrow('not yours');
	});

	it('adds a hint if the list ends before the total that the service reports', async () => {
		const service = createFakeService({ total: 23, firstPage: 1, reportsTotal: true });
		expect((await readAllPages(service, 4, pagingWithTotal)).warnings).toEqual([]);
		const wrongTotal: Paging = { ...pagingWithTotal, total: () => 30 };
		const secondService = createFakeService({ total: 23, firstPage: 1, reportsTotal: true });
		expect((await readAllPages(secondService, 4, wrongTotal)).warnings).toEqual([
			expect.stringContaining('30 records, but returned 23'),
		]);
	});
});

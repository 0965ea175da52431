// Protects users from endless or silently incomplete lists: repeated pages end the reading, and missing parts cause a hint.
import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../../nodes/engine/http/client';
import { readPages, readRecords } from '../../../nodes/engine/http/pages';
import { walkPages } from '../../../nodes/engine/http/pageWalk';
import type { PageWalk, Paging } from '../../../nodes/engine/http/pageWalk';
import type { ServiceResponse } from '../../../nodes/engine/http/types';

const PAGE_SIZE = 20;
const identify: Paging['identify'] = ({ id }) => id;
const pagingWithSize: Paging = {
	pageParameter: 'page',
	size: { name: 'pageSize', max: PAGE_SIZE },
	identify,
};

const range = (from: number, to: number): IDataObject[] =>
	Array.from({ length: to - from }, (_, index) => ({ id: from + index }));

/** Reads all pages of a service that returns one scripted page per request, and empty pages after these. */
async function walk(
	paging: Paging,
	scriptedPages: IDataObject[][],
	walkOptions: Partial<PageWalk> = {},
) {
	const queries: Array<Record<string, unknown>> = [];
	const warnings: string[] = [];
	const found: IDataObject[] = [];
	const pages = walkPages({
		paging,
		firstPage: 1,
		limit: Infinity,
		get: async (query) => {
			if (queries.push(query) > 100) throw new Error('The walk does not end');
			return { body: scriptedPages[queries.length - 1] ?? [], bytes: 1 };
		},
		warn: (message) => warnings.push(message),
		...walkOptions,
	});
	for await (const page of pages) found.push(...page);
	return { found, queries, warnings };
}

/** Creates a page with one new record; the other records are equal in every page. */
const createStalePage = (request: number) => [{ id: `new ${request}` }, ...range(1, PAGE_SIZE)];

describe('pages of mostly known records', () => {
	it('a page of new records restarts the count of ten such pages, after which reading stops', async () => {
		const pages = Array.from({ length: 50 }, (_, n) =>
			n === 10 ? range(100, 120) : createStalePage(n),
		);
		const { queries, warnings } = await walk(pagingWithSize, pages);
		expect(queries).toHaveLength(1 + 9 + 1 + 10);
		expect(warnings).toHaveLength(1);
	});

	it('a page whose records differ in more than a time counts as new', async () => {
		const pages = Array.from({ length: 15 }, (_, n) =>
			Array.from({ length: PAGE_SIZE }, (__, index) => ({
				text: `run ${n} on 2026-11-15, ${index}`,
			})),
		);
		const { found, warnings } = await walk(pagingWithSize, pages);
		expect([found.length, warnings]).toEqual([15 * PAGE_SIZE, []]);
	});
});

describe('a repeated page', () => {
	it.each([1, PAGE_SIZE])('of %d records ends reading, with a hint', async (max) => {
		const page = range(0, max);
		const paging = { ...pagingWithSize, size: { name: 'pageSize', max } };
		const { found, queries, warnings } = await walk(paging, [page, page, page]);
		expect([found, queries.length]).toEqual([page, 2]);
		expect(warnings).toEqual([
			expect.stringMatching(/seems to ignore the page number: .* Narrow it down with a filter\.$/),
		]);
	});

	it('is not assumed if only the first record is repeated', async () => {
		const pinned = { id: 'pinned' };
		const pages = [[pinned, ...range(0, 19)], [pinned, ...range(19, 38)], range(38, 40)];
		const { found, warnings } = await walk(pagingWithSize, pages);
		expect(found).toEqual([pinned, ...range(0, 40)]);
		expect(warnings).toEqual([]);
	});
});

it('reading stops at the maximum number of bytes, and the hint names the maximum in megabytes', async () => {
	const threePages = await walk(
		pagingWithSize,
		[range(0, 20), range(20, 40), range(40, 60), range(60, 80)],
		{
			max: { bytes: 3 },
		},
	);
	expect(threePages.queries).toHaveLength(3);
	const get = async () => ({ body: range(0, 20), bytes: 1_900_000 });
	const { warnings } = await walk(pagingWithSize, [], { get, max: { bytes: 1_000_000 } });
	expect(warnings).toEqual([expect.stringContaining('stopped after 1 MB: ')]);
});

describe('a service that reports a total', () => {
	const total = 50;
	const pagingWithTotal = { identify, total: () => total };
	const allPages = [range(0, 20), range(20, 40), range(40, 50)];

	it('no further page is requested after the total was read', async () => {
		const { found, queries } = await walk(
			{ ...pagingWithSize, total: () => 2 * PAGE_SIZE },
			allPages,
		);
		expect([found.length, queries.length]).toEqual([2 * PAGE_SIZE, 2]);
	});

	it('the next page is requested if the list is shorter than the total and the operation has pages', async () => {
		const { found, queries, warnings } = await walk(
			{ ...pagingWithTotal, fallbackPageParameter: 'page' },
			allPages,
		);
		expect(found).toEqual(range(0, total));
		expect(queries).toEqual([{}, { page: 2 }, { page: 3 }]);
		expect(warnings).toEqual([]);
	});

	it('a list that is shorter than the total causes a hint if the operation has no pages', async () => {
		const { found, queries, warnings } = await walk(pagingWithTotal, allPages);
		expect([found, queries]).toEqual([range(0, 20), [{}]]);
		expect(warnings).toEqual([expect.stringContaining('50 records, but returned 20 of them')]);
	});

	it('an empty page before the end of the list causes a hint', async () => {
		const { warnings } = await walk({ ...pagingWithTotal, fallbackPageParameter: 'page' }, [
			range(0, 20),
			[],
		]);
		expect(warnings).toEqual([expect.stringContaining('50 records, but returned 20 of them')]);
		const completeRead = await walk({ ...pagingWithTotal, fallbackPageParameter: 'page' }, [
			range(0, 1),
			range(1, 50),
		]);
		expect([completeRead.found.length, completeRead.warnings]).toEqual([50, []]);
	});
});

it('a service without pages gets one request, whatever the first page number is', async () => {
	for (const firstPage of [0, 1, 'detect'] as const) {
		const { queries, warnings } = await walk({ identify }, [range(0, 20), range(0, 20)], {
			firstPage,
		});
		expect([queries, warnings]).toEqual([[{}], []]);
	}
});

describe('readPages', () => {
	/** A client of a service that may define its first page number. Records the queries that are sent. */
	function createClient(firstPage?: () => number) {
		const sentQueries: unknown[] = [];
		const send = async ({ query }: { query?: object }) => {
			sentQueries.push(query);
			return { status: 200, headers: {}, kind: 'json', body: range(0, 3), bytes: 1 };
		};
		const connection = { service: { firstPage }, credential: {} };
		return { sent: sentQueries, client: { connection, send } as unknown as Client };
	}
	const request = { method: 'GET', path: '/things', query: { sort: 'name' } } as const;

	it('starts with the first page number, or 1, and keeps other query parameters', async () => {
		for (const [firstPage, page] of [
			[undefined, 1],
			[() => 0, 0],
			[() => 1, 1],
		] as const) {
			const { client: service, sent: sentQueries } = createClient(firstPage);
			expect(await readRecords(service, request, { paging: pagingWithSize })).toEqual(range(0, 3));
			expect(sentQueries).toEqual([{ sort: 'name', page, pageSize: PAGE_SIZE }]);
		}
	});

	it('reads the body that `inspect` returns, up to Limit', async () => {
		const inspect = (response: ServiceResponse): ServiceResponse => ({
			...response,
			kind: 'json',
			body: range(5, 9),
		});
		const pages = readPages(createClient().client, request, {
			paging: pagingWithSize,
			limit: 2,
			inspect,
		});
		expect(await pages.next()).toEqual({ done: false, value: range(5, 7) });
	});
});

describe('an empty list with a total', () => {
	const walkBody = async (body: unknown, paging: Paging = pagingWithSize) =>
		await walk(paging, [], { get: async () => await Promise.resolve({ body, bytes: 1 }) });

	it.each([
		[{ data: [], total: 5 }, 5],
		[{ data: [], Total: '12' }, 12],
		[{ data: [], totalCount: 1 }, 1],
		[{ items: [], meta: { total_records: 7 } }, 7],
		[{ data: [], pagination: { total: 3 } }, 3],
	])('a hint is added if the total is above zero: %j', async (body, count) => {
		for (const paging of [pagingWithSize, { identify }]) {
			const { found, warnings } = await walkBody(body, paging);
			expect(found).toEqual([]);
			expect(warnings).toEqual([
				`The service reports ${count} ${count === 1 ? 'record' : 'records'}, but returned none: the list may be incomplete. Check the filters, and what the credential is allowed to read.`,
			]);
		}
	});

	it.each([
		[[]],
		[{ data: [] }],
		[{ data: [], total: 0 }],
		[{ data: [], total: null }],
		[{ data: [], total: '' }],
		[{ data: [], total: -1 }],
		[{ data: [], total: 1.5 }],
		[{ data: [], total: 'many' }],
		[{ data: [], meta: { deep: { total: 5 } } }],
		[{ data: [], totalPages: 1 }],
	])('no hint is added if the body has no valid total above zero: %j', async (body) => {
		expect((await walkBody(body)).warnings).toEqual([]);
	});

	it('a hint is added if fewer records were returned', async () => {
		const { found, warnings } = await walkBody({ data: range(0, 2), total: 5 });
		expect([found.length, warnings]).toEqual([2, [expect.stringContaining('may be incomplete')]]);
	});
});

// Protects complete lists: a service that sends fewer records than requested, or pages in its own way, loses none of them.
import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../../nodes/engine/errors';
import { walkPages } from '../../../nodes/engine/http/pageWalk';
import type { PageWalk, Paging } from '../../../nodes/engine/http/pageWalk';

const TOTAL = 27;
const SIZE = 10;
const allRecords: IDataObject[] = Array.from({ length: TOTAL }, (_, id) => ({ id }));
const identify = ({ id }: IDataObject) => id;
const numbered: Paging = { pageParameter: 'page', size: { name: 'pageSize', max: 200 }, identify };
const unpaged: Paging = { fallbackPageParameter: 'page', identify };

interface Page {
	records: IDataObject[];
	end: number;
}
type Query = Record<string, unknown>;

/** A service with pages of ten, whatever the request says. `from` returns the index of a page's first record. */
async function walk(
	from: (query: Query, link?: string) => number,
	toResponse: (page: Page) => Awaited<ReturnType<PageWalk['get']>> = ({ records }) => ({
		body: records,
	}),
	options: Partial<PageWalk> = {},
) {
	const queries: Query[] = [];
	const warnings: string[] = [];
	const found: IDataObject[] = [];
	const pages = walkPages({
		paging: numbered,
		firstPage: 'detect',
		limit: Infinity,
		get: async (query, { link }) => {
			queries.push(link === undefined ? query : { link });
			if (queries.length > 20) throw new Error('The walk does not end');
			const start = from(query, link);
			const end = Math.min(start + SIZE, TOTAL);
			return toResponse({ records: allRecords.slice(start, end), end });
		},
		resolveLink: (link) => (link.startsWith('/elsewhere') ? undefined : link),
		warn: (message) => warnings.push(message),
		...options,
	});
	for await (const page of pages) found.push(...page);
	return {
		ids: found.map(({ id }) => id).sort((a, b) => Number(a) - Number(b)),
		warnings,
		queries,
	};
}
const all = allRecords.map(({ id }) => id);
const countedFrom =
	(first: number) =>
	({ page = first }: Query) =>
		Math.max(0, Number(page) - first) * SIZE;
const complete = { ids: all, warnings: [] };

describe('pages that say nothing', () => {
	it.each([0, 1])('counted from %i are read to the end', async (first) => {
		expect(await walk(countedFrom(first))).toMatchObject(complete);
	});

	it.each([400, 404, 410])('end with the status %i', async (status) => {
		const from = ({ page = 1 }: Query) => {
			if (Number(page) > 3) throw new ServiceFailure('There is no such page', { status });
			return (Number(page) - 1) * SIZE;
		};
		expect(await walk(from)).toMatchObject(complete);
	});

	it('may be incomplete if the proof fails', async () => {
		const from = ({ page }: Query) => {
			if (page !== undefined) throw new ServiceFailure('The service is away', { status: 503 });
			return 0;
		};
		const { ids, warnings } = await walk(from);
		expect(ids).toEqual(all.slice(0, SIZE));
		expect(warnings).toEqual([expect.stringContaining('may be incomplete')]);
	});

	it('end without a hint if the service ignores the page number and sent the whole list', async () => {
		const toWhole = () => ({ body: allRecords });
		expect(await walk(() => 0, toWhole)).toMatchObject(complete);
		expect(await walk(() => 0, toWhole, { paging: unpaged })).toMatchObject(complete);
	});

	it.each([0, 1])('of a list without documented pages are read, counted from %i', async (first) => {
		const options = { paging: unpaged, firstPage: 1, isFirstPageAssumed: true } as const;
		expect(await walk(countedFrom(first), undefined, options)).toMatchObject(complete);
	});

	it('are one request if the caller trusts them', async () => {
		const { queries } = await walk(countedFrom(1), undefined, { trustsShortPages: true });
		expect(queries).toEqual([{ pageSize: 200 }]);
	});

	it('of fewer than ten records are one request', async () => {
		const toShort = ({ records }: Page) => ({ body: records.slice(0, 9) });
		expect((await walk(countedFrom(1), toShort)).queries).toHaveLength(1);
	});
});

describe('an assumed first page', () => {
	const options = { firstPage: 1, isFirstPageAssumed: true } as const;

	it('is corrected if the service counts from 0', async () => {
		expect(await walk(countedFrom(0), undefined, options)).toMatchObject(complete);
	});

	it('is corrected if it is empty', async () => {
		const toShort = ({ records }: Page) => ({ body: records.slice(0, 9) });
		const from = ({ page = 0 }: Query) => Number(page) * TOTAL;
		expect((await walk(from, toShort, options)).ids).toEqual(all.slice(0, 9));
	});

	it('is not corrected if the user set it', async () => {
		const { ids } = await walk(countedFrom(0), undefined, { firstPage: 1 });
		expect(ids).toEqual(all.slice(SIZE));
	});
});

describe('what a page says', () => {
	const hasMore = ({ end }: Page) => end < TOTAL;
	const byCursor = ({ cursor }: Query) => Number(cursor ?? 0);
	const byLink = (_: Query, link = '0') => Number(link.split('=').at(-1));

	it.each<[string, Parameters<typeof walk>]>([
		['a total', [countedFrom(1), ({ records: data }) => ({ body: { data, total: TOTAL } })]],
		[
			'a flag',
			[countedFrom(1), (page) => ({ body: { data: page.records, has_more: hasMore(page) } })],
		],
		[
			'a cursor',
			[
				byCursor,
				(page) => ({
					body: { data: page.records, next_cursor: hasMore(page) ? `${page.end}` : null },
				}),
			],
		],
		[
			'a link in the header',
			[
				byLink,
				(page) => ({
					body: page.records,
					headers: hasMore(page) ? { link: `</x?offset=${page.end}>; rel="next"` } : {},
				}),
			],
		],
		[
			'a link in the body',
			[
				byLink,
				(page) => ({
					body: { data: page.records, next: hasMore(page) ? `/x?offset=${page.end}` : null },
				}),
			],
		],
	])('%s leads to the end of the list', async (_, scenario) => {
		const [from, toResponse, options] = scenario;
		expect(await walk(from, toResponse, { ...options, trustsShortPages: true })).toMatchObject(
			complete,
		);
	});

	it('a link to another address is not followed, and the pages are read by number', async () => {
		const toResponse = (page: Page) => ({
			body: { data: page.records, next: hasMore(page) ? '/elsewhere' : null },
		});
		const { queries, ...result } = await walk(countedFrom(1), toResponse);
		expect(result).toEqual(complete);
		expect(queries.every(({ link }) => link === undefined)).toBe(true);
	});

	it.each([
		['a total', { total: TOTAL }],
		['a flag', { has_more: true }],
		['a cursor', { next_cursor: 'x' }],
		['a link', { next: '/x?offset=0' }],
	])('%s that leads nowhere causes a hint', async (_, statement) => {
		const { ids, warnings } = await walk(
			() => 0,
			({ records: data }) => ({ body: { data, ...statement } }),
		);
		expect(ids).toEqual(all.slice(0, SIZE));
		expect(warnings).toEqual([expect.stringContaining('may be incomplete')]);
	});

	it('a total counts for nothing if the caller ignores it', async () => {
		const { queries, warnings } = await walk(
			() => 0,
			() => ({ body: { data: allRecords.slice(0, 3), total: 5 } }),
			{ ignoresTotal: true },
		);
		expect([queries.length, warnings]).toEqual([1, []]);
	});

	it('the members of a single record say nothing', async () => {
		const { queries, warnings } = await walk(
			() => 0,
			() => ({ body: { id: 1, Total: 50, has_more: true } }),
		);
		expect([queries.length, warnings]).toEqual([1, []]);
	});
});

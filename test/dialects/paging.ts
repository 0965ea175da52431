import { jsonAnswer, listIn, jsonIn, withBody } from './dialect';
import type { Answer, Dialect, DialectRequest } from './dialect';

/** How a service splits its lists. */
interface Pages {
	/** Most records of a page, whatever the request says. */
	size: number;
	/** Number of the first page. */
	first?: 0 | 1;
	/** Query parameter that selects a page, and what it counts. */
	by?: 'page' | 'offset' | 'cursor' | 'nothing';
	/** Answer beyond the last page: empty, the last page again, or this status. */
	beyond?: 'empty' | 'last' | 400 | 404;
	/** Builds the answer from the records of a page. */
	says: (page: unknown[], more: { next?: string; total: number; number: number }) => unknown;
	/** Whether the next page is in the header `Link`. */
	links?: boolean;
}

/** The service returns the longest page that it has; the dialect splits it again. */
const wholeList = (query: URLSearchParams) => {
	if (query.has('pageSize')) query.set('pageSize', '200');
	for (const name of ['page', 'offset', 'cursor']) query.delete(name);
};

function pageOf(answer: Answer, { url }: DialectRequest, pages: Pages): Answer | undefined {
	const list = listIn(jsonIn(answer));
	if (!list) return undefined;
	const { size, first = 1, by = 'page', beyond = 'empty', says, links } = pages;
	const asked = Number(url.searchParams.get('pageSize') ?? size);
	const step = Math.min(size, asked);
	const read = (name: string, fallback: number) => Number(url.searchParams.get(name) ?? fallback);
	const starts = {
		page: (read('page', first) - first) * step,
		offset: read('offset', 0),
		cursor: read('cursor', 0),
		nothing: 0,
	};
	let start = Math.max(0, starts[by]);
	if (start >= list.length && list.length > 0) {
		if (typeof beyond === 'number') return jsonAnswer(beyond, { message: 'There is no such page' });
		if (beyond === 'last') start = Math.floor((list.length - 1) / step) * step;
	}
	const page = list.slice(start, start + step);
	const end = start + page.length;
	const number = start / step + first;
	const next =
		end < list.length ? { page: `${number + 1}`, offset: `${end}`, cursor: `${end}` } : {};
	const value = by === 'nothing' ? undefined : (next as Record<string, string>)[by];
	const rewritten = withBody(answer, says(page, { next: value, total: list.length, number }));
	if (!links || value === undefined) return rewritten;
	const query = new URLSearchParams(url.searchParams);
	query.set(by, value);
	const link = `<?${query.toString()}>; rel="next"`;
	return { ...rewritten, headers: { ...rewritten.headers, link } };
}

const paged = (name: string, pages: Omit<Pages, 'size'> & { size?: number }): Dialect => ({
	name,
	group: 'paging',
	query: wholeList,
	rewrite: (answer, request) => pageOf(answer, request, { size: 10, ...pages }),
});

const bare = (page: unknown[]) => page;

export const pagingDialects: Dialect[] = [
	paged('pages of ten, no total', { says: bare }),
	paged('pages of ten, 404 beyond the last', { says: bare, beyond: 404 }),
	paged('pages of ten, 400 beyond the last', { says: bare, beyond: 400 }),
	paged('pages of ten, the last one repeated', { says: bare, beyond: 'last' }),
	paged('pages of ten from 0, no total', { says: bare, first: 0 }),
	paged('pages of ten, total beside the list', {
		says: (data, { total }) => ({ data, total }),
	}),
	paged('pages of ten from 0, total', {
		first: 0,
		says: (data, { total, number }) => ({ data, pagination: { page: number, limit: 10, total } }),
	}),
	paged('pages of ten, total in meta', {
		says: (data, { total }) => ({ data, meta: { total_count: total } }),
	}),
	paged('pages of ten, has_more', {
		says: (data, { next }) => ({ data, has_more: next !== undefined }),
	}),
	paged('pages of ten, number of pages', {
		says: (data, { total, number }) => ({
			data,
			page: number,
			total_pages: Math.ceil(total / 10),
		}),
	}),
	paged('pages of ten, Link', { says: bare, links: true }),
	paged('pages by offset, Link', { says: bare, links: true, by: 'offset' }),
	paged('pages by cursor, Link', { says: bare, links: true, by: 'cursor' }),
	paged('pages by cursor, next_cursor', {
		by: 'cursor',
		says: (data, { next }) => ({ data, next_cursor: next ?? null }),
	}),
	paged('pages by cursor, nextCursor in pagination', {
		by: 'cursor',
		says: (data, { next }) => ({ data, pagination: { nextCursor: next ?? null } }),
	}),
	paged('pages by offset, total', {
		by: 'offset',
		says: (data, { total }) => ({ data, total }),
	}),
	paged('first ten alone, total', { by: 'nothing', says: (data, { total }) => ({ data, total }) }),
	paged('first ten alone, has_more', { by: 'nothing', says: (data) => ({ data, hasMore: true }) }),
	paged('first ten alone, no total', { by: 'nothing', says: bare }),
	paged('whole list at once, no total', { size: Infinity, by: 'nothing', says: bare }),
	paged('total of the page', { says: (data) => ({ data, total: data.length }) }),
	paged('total one too large', {
		size: 200,
		says: (data, { total }) => ({ data, total: total + 1 }),
	}),
	{
		name: 'filters ignored',
		group: 'filters',
		query: (query) => {
			for (const name of [...query.keys()]) if (!/^page/.test(name)) query.delete(name);
		},
	},
	{
		name: '404 for an empty list',
		group: 'empty lists',
		rewrite: (answer) =>
			listIn(jsonIn(answer)) ? jsonAnswer(404, { message: 'No records found' }) : undefined,
	},
];

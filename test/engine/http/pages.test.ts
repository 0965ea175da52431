// Protects reading a list to its end: no record is skipped or returned twice, and no unnecessary request is sent.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { walkPages } from '../../../nodes/engine/http/pageWalk';
import type { Paging } from '../../../nodes/engine/http/pageWalk';
import type { FirstPage } from '../../../nodes/engine/http/types';

const PAGE_SIZE = 200;
const paging: Paging = {
	pageParameter: 'page',
	size: { name: 'pageSize', max: PAGE_SIZE },
	identify: ({ id }) => id,
};

/** A fake service and how it pages its list. */
interface FakeList {
	total: number;
	firstPage: 0 | 1;
	/** Response to a page beyond the last one, or to any page. */
	behavior?: 'ordinary' | 'ignores page' | 'repeats its last page' | 'ignores page, in any order';
	/** Whether its records have IDs. */
	hasIds?: boolean;
}

interface Query {
	page?: number;
	pageSize?: number;
}

const createRecords = (count: number, hasIds = true): IDataObject[] =>
	Array.from({ length: count }, (_, id) => (hasIds ? { id } : { text: `record ${id}` }));

function createFakeService({ total, firstPage, behavior = 'ordinary', hasIds }: FakeList) {
	const allRecords = createRecords(total, hasIds);
	const queries: Query[] = [];
	const get = async (query: Query) => {
		queries.push(query);
		// An endless walk would otherwise block the test runner.
		if (queries.length > 2000) throw new Error('The walk does not end');
		const { page = firstPage, pageSize = PAGE_SIZE } = query;
		let start = behavior.startsWith('ignores') ? 0 : Math.max(0, page - firstPage) * pageSize;
		if (behavior === 'repeats its last page' && start >= total) {
			start = Math.floor(Math.max(0, total - 1) / pageSize) * pageSize;
		}
		const body = allRecords.slice(start, start + pageSize);
		if (behavior.endsWith('any order')) body.push(...body.splice(0, queries.length % 7));
		return { status: 200, headers: {}, kind: 'json' as const, body };
	};
	return { allRecords, queries, get };
}

async function walk(fake: FakeList, firstPage: FirstPage, limit = Infinity) {
	const service = createFakeService(fake);
	const warnings: string[] = [];
	const found: IDataObject[] = [];
	const warn = (message: string) => warnings.push(message);
	for await (const page of walkPages({ paging, firstPage, limit, get: service.get, warn })) {
		expect(page.length).toBeGreaterThan(0);
		expect(page.length).toBeLessThanOrEqual(PAGE_SIZE);
		found.push(...page);
	}
	return { ...service, found, warnings };
}

const anyTotal = fc.oneof(
	fc.integer({ min: 0, max: 1500 }),
	fc.integer({ min: 0, max: 6 }).map((pages) => pages * PAGE_SIZE),
);
const anyFirstPage = fc.constantFrom(0 as const, 1 as const);

describe('walkPages', () => {
	it('returns every record once and in order, whether the first page number is known or detected', async () => {
		await fc.assert(
			fc.asyncProperty(anyTotal, anyFirstPage, fc.boolean(), fc.boolean(), async (...values) => {
				const [total, firstPage, isFirstPageKnown, hasIds] = values;
				const fake = { total, firstPage, hasIds };
				const { allRecords, found, warnings } = await walk(
					fake,
					isFirstPageKnown ? firstPage : 'detect',
				);
				expect(found).toEqual(allRecords);
				expect(warnings).toEqual([]);
			}),
		);
	});

	it('returns the first records up to a limit, and sends no unnecessary request', async () => {
		const limits = fc.integer({ min: 1, max: 1000 });
		await fc.assert(
			fc.asyncProperty(anyTotal, anyFirstPage, limits, async (total, firstPage, limit) => {
				const { allRecords, queries, found } = await walk({ total, firstPage }, firstPage, limit);
				expect(found).toEqual(allRecords.slice(0, limit));
				expect(queries[0]!.pageSize).toBe(Math.min(PAGE_SIZE, limit));
				// A list that ends before the limit may be cut short, which takes up to two requests to exclude.
				const proofs = total < limit && total >= 10 ? 2 : 0;
				const pages = Math.ceil(limit / Math.min(PAGE_SIZE, limit));
				expect(queries.length).toBeLessThanOrEqual(pages + proofs);
			}),
		);
	});

	it.each([
		// Pages of records, then one request to see the end when the last page is full or the first one is short; one more to
		// detect.
		{ total: 0, first: 'detect', firstPage: 1, requests: 1 },
		{ total: 9, first: 'detect', firstPage: 1, requests: 1 },
		{ total: 10, first: 'detect', firstPage: 1, requests: 3 },
		{ total: 199, first: 'detect', firstPage: 1, requests: 3 },
		{ total: 199, first: 'detect', firstPage: 0, requests: 2 },
		{ total: 199, first: 1, firstPage: 1, requests: 2 },
		{ total: 199, first: 0, firstPage: 0, requests: 2 },
		{ total: 200, first: 'detect', firstPage: 1, requests: 3 },
		{ total: 200, first: 'detect', firstPage: 0, requests: 2 },
		{ total: 450, first: 'detect', firstPage: 1, requests: 4 },
		{ total: 450, first: 'detect', firstPage: 0, requests: 3 },
		{ total: 450, first: 1, firstPage: 1, requests: 3 },
		{ total: 400, first: 0, firstPage: 0, requests: 3 },
		{ total: 100_000, first: 'detect', firstPage: 1, requests: 502 },
		{ total: 100_000, first: 'detect', firstPage: 0, requests: 501 },
		{ total: 100_000, first: 1, firstPage: 1, requests: 501 },
	] as const)(
		'sends $requests requests for $total records if the first page is $firstPage and the setting is $first',
		async (scenario) => {
			const { queries, found } = await walk(scenario, scenario.first);
			expect(found).toHaveLength(scenario.total);
			expect(queries).toHaveLength(scenario.requests);
		},
	);

	it('sends no page number in the first request if the first number is to be detected', async () => {
		const { queries } = await walk({ total: 401, firstPage: 1 }, 'detect');
		expect(queries.map(({ page }) => page)).toEqual([undefined, 1, 2, 3]);
	});

	it.each(['ignores page', 'ignores page, in any order'] as const)(
		'stops with a hint if a service %s',
		async (behavior) => {
			for (const first of ['detect', 0, 1] as const) {
				const { allRecords, queries, found, warnings } = await walk(
					{ total: 700, firstPage: 1, behavior },
					first,
				);
				expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
				expect(found).toEqual(expect.arrayContaining(allRecords.slice(0, PAGE_SIZE)));
				expect(found).toHaveLength(PAGE_SIZE);
				expect(queries).toHaveLength(first === 'detect' ? 3 : 2);
				expect(warnings).toEqual([expect.stringContaining('may be incomplete')]);
			}
		},
	);

	it('returns every record once if a service repeats its last page forever', async () => {
		await fc.assert(
			fc.asyncProperty(anyTotal, anyFirstPage, fc.boolean(), async (total, firstPage, hasIds) => {
				const fake = { total, firstPage, hasIds, behavior: 'repeats its last page' } as const;
				const { allRecords, found, warnings } = await walk(fake, 'detect');
				expect(found).toEqual(allRecords);
				expect(warnings.length).toBeLessThanOrEqual(1);
			}),
		);
	});

	it('requests a page only after the consumer has taken the previous one', async () => {
		const { get, queries } = createFakeService({ total: 1000, firstPage: 1 });
		const pages = walkPages({ paging, firstPage: 1, limit: Infinity, get, warn: () => undefined });
		await pages.next();
		expect(queries).toHaveLength(1);
		await pages.next();
		expect(queries).toHaveLength(2);
	});
});

it('walkPages returns an object in place of a list as the only record', async () => {
	const body = { id: 1, name: 'the only one' };
	const get = async () => ({ status: 200, headers: {}, kind: 'json' as const, body });
	const warn = jest.fn();
	const found: IDataObject[] = [];
	for await (const page of walkPages({ paging, firstPage: 'detect', limit: Infinity, get, warn })) {
		found.push(...page);
	}
	expect(found).toEqual([body]);
	expect(warn).not.toHaveBeenCalled();
});

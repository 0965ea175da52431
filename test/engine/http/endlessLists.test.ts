// Protects n8n from lists without an end: reading stops at a limit with a hint, and a finite list is read without one.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { walkPages } from '../../../nodes/engine/http/pageWalk';
import type { PageWalk, Paging } from '../../../nodes/engine/http/pageWalk';
import type { FirstPage } from '../../../nodes/engine/http/types';

const PAGE_SIZE = 20;
const pagingWithSize: Paging = {
	pageParameter: 'page',
	size: { name: 'pageSize', max: PAGE_SIZE },
	identify: ({ id }) => id,
};
/** Some services have no page size parameter. */
const pagingWithoutSize: Paging = { pageParameter: 'page', identify: ({ id }) => id };

/** Response of a service to its n-th request. */
type ServiceBehavior = (request: number, page: number | undefined) => IDataObject[];

const range = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => make(index));

async function walk(
	behavior: ServiceBehavior,
	{
		paging = pagingWithSize,
		firstPage = 1,
		bytes = 0,
		...overrides
	}: Partial<PageWalk> & { bytes?: number } = {},
) {
	let requests = 0;
	let lastPageLength = 0;
	const warnings: string[] = [];
	const found: IDataObject[] = [];
	const pages = walkPages({
		paging,
		firstPage,
		limit: Infinity,
		get: async (query) => {
			// An endless walk would otherwise block the test runner.
			if (++requests > 10_000) throw new Error('The walk does not end');
			const body = behavior(requests, query.page as number | undefined);
			lastPageLength = body.length;
			return { status: 200, headers: {}, kind: 'json', body, bytes };
		},
		warn: (message) => warnings.push(message),
		...overrides,
	});
	for await (const page of pages) found.push(...page);
	return { found, warnings, requests, lastPageLength };
}

const endlessNewRecords: ServiceBehavior = (request) =>
	range(PAGE_SIZE, (index) => ({ id: request * PAGE_SIZE + index }));

describe('the limits of a list', () => {
	it('a list of always new records is cut at the maximum number of records, with a hint', async () => {
		const { found, warnings, requests } = await walk(endlessNewRecords, { max: { records: 1010 } });
		expect(found).toHaveLength(1010);
		expect(requests).toBe(51);
		expect(warnings).toEqual([expect.stringMatching(/after 1,010 records.*may be incomplete/)]);
		expect(warnings[0]).toContain('Max Records');
	});

	it('the list is cut at a million records by default', async () => {
		const page = range(1000, (index) => index);
		const { found, warnings } = await walk(
			(request) => page.map((index) => ({ id: request * 1000 + index })),
			{ paging: pagingWithoutSize },
		);
		expect(found).toHaveLength(1_000_000);
		expect(warnings).toEqual([expect.stringContaining('after 1,000,000 records')]);
	});

	it('the list is cut at the maximum number of bytes, with a hint', async () => {
		const { found, warnings } = await walk(endlessNewRecords, {
			bytes: 1_000_000,
			max: { bytes: 25_000_000 },
		});
		expect(found).toHaveLength(25 * PAGE_SIZE);
		expect(warnings).toEqual([expect.stringMatching(/after 25 MB.*may be incomplete/)]);
	});

	it('the list is cut at a default number of bytes before n8n runs out of memory', async () => {
		const { found, warnings } = await walk(endlessNewRecords, { bytes: 50_000_000 });
		expect(found).toHaveLength(10 * PAGE_SIZE);
		expect(warnings).toEqual([expect.stringContaining('after 500 MB')]);
	});

	it.each<[string, ServiceBehavior]>([
		[
			'in which each page repeats all records but one',
			(request) => range(PAGE_SIZE, (index) => ({ id: index === 0 ? `new ${request}` : index })),
		],
		[
			'of records without IDs that differ only in a time',
			(request) =>
				range(PAGE_SIZE, (index) => ({
					name: `Name ${index}`,
					seen: new Date(1.7e12 + 1000 * request).toISOString(),
					at: { day: `2026-01-${10 + (request % 20)}` },
				})),
		],
	])('a list %s is cut after ten such pages in a row, with a hint', async (_, behavior) => {
		for (const firstPage of [1, 'detect'] as const) {
			const { warnings, requests } = await walk(behavior, { firstPage });
			expect(requests).toBe(1 + 10);
			expect(warnings).toEqual([
				expect.stringMatching(
					/records that it had sent before: the list may be incomplete\. Narrow it down with a filter\.$/,
				),
			]);
		}
	});

	it('a list of records without IDs is cut at the maximum number of records', async () => {
		const { found, warnings } = await walk(
			(request) => range(PAGE_SIZE, (index) => ({ text: `${request} ${index}` })),
			{ max: { records: 500 } },
		);
		expect([found.length, warnings.length]).toEqual([500, 1]);
	});

	it('no hint is added if Limit is below the maximum, or the list has exactly the maximum', async () => {
		const limited = await walk(endlessNewRecords, { limit: 40, max: { records: 50 } });
		expect([limited.found.length, limited.warnings]).toEqual([40, []]);
		const complete = await walk((request) => (request > 2 ? [] : endlessNewRecords(request, 1)), {
			max: { records: 2 * PAGE_SIZE + 1 },
		});
		expect([complete.found.length, complete.warnings]).toEqual([2 * PAGE_SIZE, []]);
		const singlePage = await walk(() => endlessNewRecords(1, 1), {
			paging: { identify: ({ id }) => id },
			max: { records: PAGE_SIZE },
		});
		expect([singlePage.found.length, singlePage.warnings]).toEqual([PAGE_SIZE, []]);
	});

	it('a hint is added if a list without pages is longer than the maximum', async () => {
		const records = range(100, (id) => ({ id }));
		const { found, warnings } = await walk(() => records, {
			paging: { identify: ({ id }) => id },
			max: { records: 30 },
		});
		expect(found).toEqual(records.slice(0, 30));
		expect(warnings).toEqual([expect.stringContaining('after 30 records')]);
	});
});

describe('reading any list', () => {
	const anyPage = fc.oneof(
		// New records, known records and records without IDs, in pages of any length.
		fc.array(
			fc.oneof(
				fc.record({ id: fc.nat(200) }),
				fc.record({ id: fc.uuid() }),
				fc.record({ name: fc.constantFrom('a', 'b') }),
			),
			{ minLength: 0, maxLength: 2 * PAGE_SIZE },
		),
		fc.constant(range(PAGE_SIZE, (id) => ({ id }))),
	);
	const anyFirstPage = fc.constantFrom<FirstPage>('detect', 0, 1);

	it('ends at the maximum number of records, and adds a hint only if the list was cut', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(anyPage, { minLength: 1, maxLength: 30 }),
				fc.constantFrom(pagingWithSize, pagingWithoutSize),
				anyFirstPage,
				fc.integer({ min: 1, max: 600 }),
				async (pages, paging, firstPage, records) => {
					const { found, warnings, requests, lastPageLength } = await walk(
						// Repeats the pages forever. A record whose ID is a string is new each time.
						(request) =>
							pages[request % pages.length]!.map((record) =>
								'id' in record && typeof record.id === 'string'
									? { id: `${record.id} ${request}` }
									: record,
							),
						{ paging, firstPage, max: { records } },
					);
					expect(found.length).toBeLessThanOrEqual(records);
					expect(requests).toBeLessThanOrEqual(12 * (records + 2));
					const ids = found.map(({ id }) => id).filter((id) => id !== undefined);
					expect(new Set(ids).size).toBe(ids.length);
					const isEnd =
						paging === pagingWithSize
							? lastPageLength < Math.min(PAGE_SIZE, records)
							: lastPageLength === 0;
					const isComplete = isEnd && found.length < records;
					if (isComplete || !isEnd) expect(warnings).toHaveLength(isComplete ? 0 : 1);
				},
			),
			{ numRuns: 200 },
		);
	});

	it('returns all records of a finite list without a hint, even if its pages overlap', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(900),
				fc.nat(PAGE_SIZE / 2),
				fc.boolean(),
				async (total, overlap, hasIds) => {
					const allRecords = range(total, (index) =>
						hasIds ? { id: index } : { name: `${index}`, at: '2026-01-01' },
					);
					const step = hasIds ? PAGE_SIZE - overlap : PAGE_SIZE;
					const { found, warnings } = await walk((_, page) =>
						allRecords.slice((page! - 1) * step, (page! - 1) * step + PAGE_SIZE),
					);
					expect(found).toEqual(allRecords);
					expect(warnings).toEqual([]);
				},
			),
		);
	});
});

// Protects the time of the polls of a list: each page, even an empty one, reaches the trigger with its Date header.
import type { IDataObject } from 'n8n-workflow';

import type { ListPage } from '../../../../nodes/engine/trigger/lists/core';
import type { FollowedList } from '../../../../nodes/engine/trigger/lists/listTriggerDefinition';
import { readList } from '../../../../nodes/engine/trigger/lists/reader';
import { stubClient } from '../../../support/stubClient';
import { createList } from './listHarness';

const thingList: FollowedList = {
	...createList(),
	request: (since) => ({
		method: 'GET',
		path: '/things',
		query: since === undefined ? {} : { since },
		idempotent: true,
	}),
	paging: { pageParameter: 'page', size: { name: 'size', max: 2 }, identify: ({ id }) => id },
	buildItem: ({ record }) => record,
};

/** Reads a list that the service returns in these pages. */
async function readPages(pages: IDataObject[][]) {
	const { connection } = stubClient('http://service.test', {});
	const requestedUrls: string[] = [];
	const acceptedPages: ListPage[] = [];
	const transmit = async ({ url }: { url: string }) => {
		const page = pages[requestedUrls.push(url) - 1] ?? [];
		const date = new Date(requestedUrls.length * 1000).toUTCString();
		return { statusCode: 200, headers: { date }, body: JSON.stringify(page) };
	};
	const result = await readList(
		{ ...connection, transmit },
		thingList,
		0,
		async (page) => void acceptedPages.push(page),
		new AbortController().signal,
	);
	return { requestedUrls, acceptedPages, result };
}

describe('the reader of a list', () => {
	test('returns every page with the Date header of its response', async () => {
		const { acceptedPages, result, requestedUrls } = await readPages([
			[{ id: 1 }, { id: 2 }],
			[{ id: 3 }],
		]);
		expect(result).toEqual({ kind: 'complete', warning: undefined });
		expect(acceptedPages).toEqual([
			{ records: [{ id: 1 }, { id: 2 }], date: 1000 },
			{ records: [{ id: 3 }], date: 2000 },
		]);
		expect(requestedUrls[0]).toContain('since=1970-01-01T00%3A00%3A00.000Z');
	});

	test('returns the Date header of an empty list', async () => {
		expect((await readPages([[]])).acceptedPages).toEqual([{ records: [], date: 1000 }]);
	});

	test('returns the last page even if it is empty', async () => {
		const { acceptedPages } = await readPages([[{ id: 1 }, { id: 2 }], []]);
		expect(acceptedPages).toEqual([
			{ records: [{ id: 1 }, { id: 2 }], date: 1000 },
			{ records: [], date: 2000 },
		]);
	});
});

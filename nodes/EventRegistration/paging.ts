import type { Paging } from '../engine/pages';

/** The service's pages, told apart by the record's own ID. */
export const pagesBy = (id: string): Paging => ({
	page: 'page',
	size: { name: 'pageSize', most: 200 },
	identify: (record) => record[id] ?? record.Id,
	plural: id.replace(/Id$/, 's'),
});

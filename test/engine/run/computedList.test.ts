// Protects users of a list that an operation computes: Limit, Return All and the option for an empty list apply to it.
import type { IDataObject } from 'n8n-workflow';

import { operation } from '../../../nodes/engine/operation';
import { toNodeProperties } from '../../../nodes/engine/panel/properties';
import { toyKit, toyService, operationTexts } from '../../support/toy';
import { runNode } from '../../support/workflow';

const createRecords = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

/** No server listens here: the operations send no request. */
const UNUSED_URL = 'http://127.0.0.1:9';

const service = toyService({
	all: operation({
		...operationTexts,
		fields: {},
		idempotent: true,
		returnsList: true,
		run: async () => createRecords(60),
	}),
	none: operation({
		...operationTexts,
		fields: {},
		idempotent: true,
		returnsList: true,
		run: async () => [],
	}),
	plain: operation({
		...operationTexts,
		fields: {},
		idempotent: true,
		run: async () => createRecords(60),
	}),
});

const run = async (name: string, parameterOverrides: object = {}, input?: IDataObject[]) => {
	const parameters = { resource: 'thing', operation: name, ...parameterOverrides };
	const { outputItems, error } = await runNode(
		toyKit(service, UNUSED_URL),
		'toy',
		parameters,
		input,
	);
	expect(error).toBeUndefined();
	return outputItems;
};

describe('a list computed by `run`', () => {
	it('is cut at Limit, by default 50, for each item', async () => {
		expect(await run('all')).toEqual(createRecords(50));
		expect(await run('all', { limit: 3 }, [{}, {}])).toEqual([
			...createRecords(3),
			...createRecords(3),
		]);
	});

	it('is complete with Return All', async () => {
		expect(await run('all', { returnAll: true, limit: 3 })).toEqual(createRecords(60));
	});

	it.each([
		[0, `'Limit' must be a number of 1 or more, not "0"`],
		['all', `'Limit' must be a number of 1 or more, not "all"`],
	])('is rejected with the Limit %p', async (limit, message) => {
		const parameters = { resource: 'thing', operation: 'all', limit };
		const { error } = await runNode(toyKit(service, UNUSED_URL), 'toy', parameters);
		expect(error?.message).toBe(message);
	});

	it.each(['3', 3.7])('has 3 records with the Limit %p', async (limit) => {
		expect(await run('all', { limit })).toEqual(createRecords(3));
	});

	it('outputs an empty item only if it is empty and the option is set', async () => {
		expect(await run('none')).toEqual([]);
		expect(await run('none', { options: { returnEmptyItem: true } })).toEqual([{}]);
		expect(await run('all', { limit: 1, options: { returnEmptyItem: true } })).toEqual(
			createRecords(1),
		);
	});

	it('has Limit and the option for an empty list in the panel, but no paging options', () => {
		const properties = toNodeProperties(service).filter(({ displayOptions }) =>
			(displayOptions?.show?.operation as string[] | undefined)?.includes('all'),
		);
		const options = properties.find(({ name }) => name === 'options')!.options!;
		expect(properties.map(({ name }) => name)).toEqual(['returnAll', 'limit', 'options']);
		expect(options.map(({ name }) => name)).toContain('returnEmptyItem');
		expect(options.map(({ name }) => name)).not.toContain('pagesAtATime');
		expect(options.map(({ name }) => name)).not.toContain('mostRecords');
	});

	it('is not cut if the operation does not declare a list', async () => {
		expect(await run('plain', { limit: 3 })).toEqual(createRecords(60));
	});
});

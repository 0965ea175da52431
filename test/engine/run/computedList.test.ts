import type { IDataObject } from 'n8n-workflow';

import { operation } from '../../../nodes/engine/operation';
import { toNodeProperties } from '../../../nodes/engine/panel/properties';
import { toyKit, toyService, operationTexts } from '../../support/toy';
import { runNode } from '../../support/workflow';

const numbers = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

const service = toyService({
	all: operation({
		...operationTexts,
		fields: {},
		idempotent: true,
		returnsList: true,
		run: async () => numbers(60),
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
		run: async () => numbers(60),
	}),
});

const run = async (name: string, parameterOverrides: object = {}, input?: IDataObject[]) => {
	const parameters = { resource: 'thing', operation: name, ...parameterOverrides };
	const { outputItems, error } = await runNode(
		toyKit(service, 'http://127.0.0.1:9'),
		'toy',
		parameters,
		input,
	);
	expect(error).toBeUndefined();
	return outputItems;
};

describe('a list computed by `run`', () => {
	it('is cut at Limit, by default 50, for each item', async () => {
		expect(await run('all')).toEqual(numbers(50));
		expect(await run('all', { limit: 3 }, [{}, {}])).toEqual([...numbers(3), ...numbers(3)]);
	});

	it('is complete with Return All', async () => {
		expect(await run('all', { returnAll: true, limit: 3 })).toEqual(numbers(60));
	});

	it.each([
		[-5, `'Limit' must be a number of 1 or more, not "-5"`],
		[0, `'Limit' must be a number of 1 or more, not "0"`],
		['all', `'Limit' must be a number of 1 or more, not "all"`],
	])('the Limit %p is rejected', async (limit, message) => {
		const parameters = { resource: 'thing', operation: 'all', limit };
		const { error } = await runNode(toyKit(service, 'http://127.0.0.1:9'), 'toy', parameters);
		expect(error?.message).toBe(message);
	});

	it.each(['3', 3.7])('the Limit %p is read as 3', async (limit) => {
		expect(await run('all', { limit })).toEqual(numbers(3));
	});

	it('an empty list outputs an empty item only if the option is set', async () => {
		expect(await run('none')).toEqual([]);
		expect(await run('none', { options: { returnEmptyItem: true } })).toEqual([{}]);
		expect(await run('all', { limit: 1, options: { returnEmptyItem: true } })).toEqual(numbers(1));
	});

	it('the panel has Limit and the option for an empty list, but no paging options', () => {
		const properties = toNodeProperties(service).filter(({ displayOptions }) =>
			(displayOptions?.show?.operation as string[] | undefined)?.includes('all'),
		);
		const options = properties.find(({ name }) => name === 'options')!.options!;
		expect(properties.map(({ name }) => name)).toEqual(['returnAll', 'limit', 'options']);
		expect(options.map(({ name }) => name)).toContain('returnEmptyItem');
		expect(options.map(({ name }) => name)).not.toContain('pagesAtATime');
		expect(options.map(({ name }) => name)).not.toContain('mostRecords');
	});

	it('the result is not cut if the operation does not declare a list', async () => {
		expect(await run('plain', { limit: 3 })).toEqual(numbers(60));
	});
});

import type { IDataObject } from 'n8n-workflow';

import { field } from '../../nodes/engine/field';
import { operation } from '../../nodes/engine/operation';
import { json, startToyServer, toyKit, toyService, words } from '../support/toy';
import type { ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';

const simplify = ['id', 'tags'] as const;
const tidy = (record: IDataObject) => ({ ...record, tags: (record.tags as string[]).join(' ') });

const text = { displayName: 'Text', type: 'string', default: '' } as const;
const known = field({ ...text, name: 'known', target: { in: 'body' } });
const other = field({
	...text,
	name: 'other',
	read: (given): unknown => JSON.parse(`${given}`),
	target: { in: 'body', spread: true },
});
const last = field({ ...text, name: 'last', target: { in: 'body' } });

const service = toyService({
	get: operation({
		...words,
		request: 'GET /thing',
		fields: {},
		repeatable: true,
		simplify,
		tidy,
	}),
	list: operation({
		...words,
		request: 'GET /things',
		fields: {},
		repeatable: true,
		simplify,
		tidy,
		pages: {},
	}),
	find: operation({
		...words,
		request: 'POST /find',
		body: 'json',
		fields: { known, other, last },
		repeatable: true,
	}),
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

const run = (operation: string, parameters: object = {}) =>
	runNode(toyKit(service, server.url), 'toy', { resource: 'thing', operation, ...parameters });

describe('Simplify', () => {
	const full = { id: 1, tags: ['a', 'b'], more: true };

	it('picks fields and tidies the rest, of one record and of many', async () => {
		server.answer(({ url }, response) => json(response, 200, url === '/thing' ? full : [full]));
		expect((await run('get')).out).toEqual([{ id: 1, tags: 'a b' }]);
		expect((await run('list')).out).toEqual([{ id: 1, tags: 'a b' }]);
	});

	it('keeps every field when it is off, tidied all the same', async () => {
		server.answer((_, response) => json(response, 200, full));
		const all = { ...full, tags: 'a b' };
		expect((await run('get', { simplify: false })).out).toEqual([all]);
		expect((await run('list', { simplify: false })).out).toEqual([all]);
	});
});

describe('a body', () => {
	const sent = async (parameters: object) => {
		server.answer((_, response) => json(response, 200, {}));
		const { error } = await run('find', parameters);
		expect(error).toBeUndefined();
		return server.received[0]!.body;
	};

	it('is an empty object where nothing was filled in and an object is wanted', async () => {
		expect(await sent({})).toBe('{}');
	});

	it("takes names of the user's own as they are, next to those of fields", async () => {
		const own = '{"a.b": 1, "__proto__": "x", "last": "first"}';
		expect(JSON.parse(await sent({ known: 'k', other: own, last: 'l' }))).toEqual(
			JSON.parse('{"known":"k","a.b":1,"__proto__":"x","last":"l"}'),
		);
	});
});

import { isObject, jsonAnswer, jsonIn, onJson, onList, withBody } from './dialect';
import type { Dialect, DialectRequest } from './dialect';

const paginationOf = (list: unknown[]) => ({ page: 1, limit: list.length, total: list.length });

/** Lists in members of other names than the contract's. */
const listWrappers: Dialect[] = [
	...['value', 'rows', 'result', 'content', 'elements', 'payload'].map((name): Dialect => ({
		name: `list in "${name}"`,
		group: 'list wrappers',
		rewrite: onList((list) => ({ [name]: list })),
	})),
	{
		name: 'list in "value" beside a count',
		group: 'list wrappers',
		rewrite: onList((list) => ({ value: list, count: list.length })),
	},
	{
		name: 'list two levels deep',
		group: 'list wrappers',
		rewrite: onList((list) => ({ response: { entries: list } })),
	},
	{
		name: 'list in "_embedded"',
		group: 'list wrappers',
		rewrite: onList((list) => ({ _embedded: { entries: list }, _links: { self: { href: '/' } } })),
	},
	{
		name: 'list in "value" beside a list of related records',
		group: 'list wrappers',
		rewrite: onList((list) => ({ value: list, included: list.slice(0, 1) })),
	},
	{
		name: 'list in "value" beside empty errors',
		group: 'list wrappers',
		rewrite: onList((list) => ({ value: list, errors: [], warnings: [{ id: 'w1', text: 'x' }] })),
	},
	{
		name: 'list as an object by ID',
		group: 'list wrappers',
		rewrite: onList((list) => Object.fromEntries(list.map((entry, index) => [`k${index}`, entry]))),
	},
	{
		name: 'list in "data" with pagination',
		group: 'list wrappers',
		rewrite: onList((list) => ({ data: list, pagination: paginationOf(list) })),
	},
	{
		name: 'empty list in "value"',
		group: 'list wrappers',
		rewrite: onList(() => ({ value: [] })),
	},
];

/** Whether a body is one record, as opposed to a list or the map of a form. */
const isOneRecord = (body: unknown, { url }: DialectRequest): body is Record<string, unknown> =>
	isObject(body) && !Array.isArray(body.data) && !/form$/.test(url.pathname);

const recordWrapper = (name: string, wrap: (record: object) => unknown): Dialect => ({
	name,
	group: 'record wrappers',
	rewrite: onJson((body, request) => (isOneRecord(body, request) ? wrap(body) : body)),
});

const recordWrappers: Dialect[] = [
	recordWrapper('record in "data"', (record) => ({ data: record })),
	recordWrapper('record in "result"', (record) => ({ result: record })),
	recordWrapper('record in "value"', (record) => ({ value: record })),
	recordWrapper('record in "response" beside a status', (record) => ({
		status: 'ok',
		response: record,
	})),
	recordWrapper('record in "data" of "response"', (record) => ({ response: { data: record } })),
	recordWrapper('record in a list of one', (record) => [record]),
	recordWrapper('record with its fields in "attributes"', (record) => {
		const [[idName, id] = ['id', undefined], ...fields] = Object.entries(record);
		return { [idName]: id, type: 'record', attributes: Object.fromEntries(fields) };
	}),
	recordWrapper('record with further members', (record) => ({
		...record,
		_links: { self: { href: '/' } },
		requestId: 'r-1',
	})),
];

const isWrite = ({ method, url }: DialectRequest) =>
	['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && !/search$/.test(url.pathname);

const writeAnswer = (name: string, status: number, body: unknown): Dialect => ({
	name: `write answered with ${name}`,
	group: 'writes',
	rewrite: (answer, request) =>
		isWrite(request) && answer.status < 300 ? jsonAnswer(status, body) : undefined,
});

const writes: Dialect[] = [
	writeAnswer('204', 204, undefined),
	writeAnswer('200 and nothing', 200, undefined),
	writeAnswer('{}', 200, {}),
	writeAnswer('202 and nothing', 202, undefined),
	writeAnswer('202 and {"status": "queued"}', 202, { status: 'queued' }),
	writeAnswer('{"success": true}', 200, { success: true }),
	writeAnswer('{"message": "Saved"}', 200, { message: 'Saved' }),
	writeAnswer('true', 200, true),
	writeAnswer('a list of nothing', 200, []),
	{
		name: 'write answered with the ID alone',
		group: 'writes',
		rewrite: (answer, request) => {
			const body = isWrite(request) ? jsonIn(answer) : undefined;
			const [id] = isObject(body) ? Object.entries(body) : [];
			return id ? withBody(answer, Object.fromEntries([id])) : undefined;
		},
	},
	{
		name: 'write answered with 201 and Location',
		group: 'writes',
		rewrite: (answer, request) => {
			const body = isWrite(request) ? jsonIn(answer) : undefined;
			const [id] = isObject(body) ? Object.values(body) : [];
			return id === undefined
				? undefined
				: jsonAnswer(201, undefined, { location: `${request.url.pathname}/${String(id)}` });
		},
	},
	...[301, 302, 303, 307, 308].map((status): Dialect => ({
		name: `write answered with ${status}`,
		group: 'writes',
		rewrite: (answer, request) =>
			isWrite(request) && answer.status < 300
				? jsonAnswer(status, undefined, { location: request.url.pathname })
				: undefined,
	})),
	{
		name: 'write moved by 307 before it',
		group: 'writes',
		instead: (request) =>
			isWrite(request)
				? jsonAnswer(307, undefined, { location: `/v2${request.url.pathname}` })
				: undefined,
	},
];

export const shapeDialects = [...listWrappers, ...recordWrappers, ...writes];

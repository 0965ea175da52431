// Protects users of writes: a response that holds another record is an uncertain failure, never a success.
import { findFailure } from '../../../nodes/engine/http/checkResponse';
import { toPathSegment } from '../../../nodes/engine/http/path';
import type { Request, ServiceResponse } from '../../../nodes/engine/http/types';
import { service } from '../toyOperations';

const write = (method: Request['method']): Request => ({
	method,
	path: '/lists/{listId}/things/{thingId}',
	params: { listId: toPathSegment('List', '3'), thingId: toPathSegment('Thing', '007') },
	identify: ({ Id }) => Id,
});
const respond = (body: unknown): ServiceResponse => ({
	status: 200,
	headers: {},
	kind: 'json',
	body,
	bytes: 0,
});

describe.each(['PATCH', 'PUT', 'DELETE', 'POST'] as const)('the response to a %s', (method) => {
	it.each([
		['another record', { Id: 8 }],
		['another record in a list of one', [{ Id: 8 }]],
		['another record in data', { data: { Id: 8 } }],
	])('is uncertain if it holds %s', (_, body) => {
		const failure = findFailure(respond(body), write(method), service, 'http://toy.test');
		expect(failure?.message).toContain('a record with another ID');
		expect(failure?.uncertain).toBe(true);
	});

	it.each([
		['the record', { Id: 7 }],
		['the record with a text for its ID', { Id: '7' }],
		['no record', { count: 1 }],
	])('is a success if it holds %s', (_, body) => {
		expect(findFailure(respond(body), write(method), service, 'http://toy.test')).toBeUndefined();
	});
});

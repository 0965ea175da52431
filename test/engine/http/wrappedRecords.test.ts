// Protects reads and writes of one record: the requested record is found in a wrapper of any name, and nothing else is.
import { findFailure, withoutWrapper } from '../../../nodes/engine/http/checkResponse';
import { toPathSegment } from '../../../nodes/engine/http/path';
import type { Request, ServiceResponse } from '../../../nodes/engine/http/types';
import { missingRecordHint } from '../../../nodes/engine/run/output';
import { service } from '../toyOperations';

const record = { Id: 7, Name: 'seven' };
const read: Request = {
	method: 'GET',
	path: '/things/{thingId}',
	params: { thingId: toPathSegment('Thing', '007') },
	identify: ({ Id }) => Id,
	idempotent: true,
	requiredContent: 'record',
	mayBeWrapped: true,
};
const write: Request = {
	...read,
	method: 'PATCH',
	json: {},
	idempotent: false,
	requiredContent: undefined,
};
const respond = (body: unknown, status = 200): ServiceResponse => ({
	status,
	headers: {},
	kind: 'json',
	body,
});
const unwrap = (body: unknown, request = read, status = 200) =>
	withoutWrapper(respond(body, status), request).body;

it.each([
	{ result: record },
	{ value: record },
	{ status: 'ok', response: record },
	{ payload: [record], count: 1 },
])('the requested record is found in %j', (body) => {
	for (const request of [read, write]) {
		expect(unwrap(body, request)).toEqual(record);
		const response = withoutWrapper(respond(body), request);
		expect(findFailure(response, request, service, 'http://toy.test')).toBeUndefined();
	}
});

it.each([
	record,
	[record],
	{ result: { ...record, Id: 8 } },
	{ result: { Name: 'no ID' } },
	{ result: [record, record] },
	{ result: record, related: record },
	{ result: record, Name: 'beside it' },
	{ response: { data: record } },
	{ success: false, result: record },
	{ error: 'The record is locked', result: record },
	{ Id: 8, result: record },
	null,
])('%j stays as it is', (body) => {
	expect(unwrap(body)).toEqual(body);
});

it('a request that does not allow it, an error and content of any shape stay as they are', () => {
	const body = { result: record };
	expect(unwrap(body, { ...read, mayBeWrapped: undefined })).toEqual(body);
	expect(unwrap(body, { ...read, requiredContent: 'inspected' })).toEqual(body);
	expect(unwrap(body, { ...read, identify: undefined })).toEqual(body);
	expect(unwrap(body, { ...read, path: '/things', params: {} })).toEqual(body);
	expect(unwrap(body, { ...write, method: 'GET', idempotent: true })).toEqual(body);
	expect(unwrap(body, read, 404)).toEqual(body);
});

it('a write without the ID of its record is a success with a hint that claims nothing', () => {
	expect(missingRecordHint(respond({ Name: 'seven' }), write)).toBe(
		'The service answered with a record without an ID instead of the record (status 200). The output shows what was sent. Read the record before you repeat this step.',
	);
	expect(missingRecordHint(respond(record), write)).toBeUndefined();
	expect(missingRecordHint(respond({ data: record }), write)).toBeUndefined();
	expect(
		missingRecordHint(respond({ status: 'ready' }), { ...write, json: undefined }),
	).toBeUndefined();
});

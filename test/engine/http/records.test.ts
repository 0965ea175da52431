// Protects the output from false records: a record is found in any usual wrapper, and an error is never taken for one.
import fc from 'fast-check';

import {
	identifiedRecord,
	listUnderUnknownName,
	missingList,
	oneRecord,
	recordsOf,
	strictRecords,
} from '../../../nodes/engine/http/records';
import type { RecordKind } from '../../../nodes/engine/http/records';

const recordKind: RecordKind = { identify: ({ id }) => id, plural: 'Things' };
const record = { id: 1 };
const path = '/api/things/{thingId}';

describe('recordsOf', () => {
	it.each([
		[[record], [record]],
		[{ data: [record] }, [record]],
		[{ data: [record], pagination: { total: 1 } }, [record]],
		[{ Items: [record] }, [record]],
		[{ RESULTS: [record], message: 'one found' }, [record]],
		[{ records: [record] }, [record]],
		[{ things: [record] }, [record]],
		[{ Things: [] }, []],
		[{ results: [], data: [record] }, [record]],
		[record, [record]],
		[{ data: record }, [record]],
		[{ Thing: record }, [record]],
		[{ item: record, status: 'ok' }, [record]],
		[{ ...record, items: [{ id: 2 }] }, [{ ...record, items: [{ id: 2 }] }]],
		[{ gadgets: [record] }, [{ gadgets: [record] }]],
		[[null, 'text', 7, [], record], [record]],
		[{}, []],
		[{ data: { name: 'no ID' } }, [{ data: { name: 'no ID' } }]],
		[{ data: [], id: '  ' }, []],
		[undefined, []],
		[null, []],
		['text', []],
	])('reads %j as %j', (body, records) => {
		expect(recordsOf(body, recordKind)).toEqual(records);
	});
});

it('recordsOf recognizes the usual wrapper names if the record kind defines none', () => {
	expect(recordsOf({ items: [record] }, {})).toEqual([record]);
	expect(recordsOf({ items: [record] })).toEqual([record]);
	expect(recordsOf({ things: [record] }, {})).toEqual([{ things: [record] }]);
});

describe('oneRecord', () => {
	it.each([
		[
			{ id: 1, name: 'a' },
			{ id: 1, name: 'a' },
		],
		[[record], record],
		[{ data: [record] }, record],
		[{ things: [record] }, record],
		[{ Things: [record], total: 1, request_id: 'r', Success: true }, record],
		[{ data: [record], nextPage: null, 'page-size': 10, has_more: false }, record],
		// A record without an ID, with lists of its own.
		[
			{ name: 'a', items: [record, record] },
			{ name: 'a', items: [record, record] },
		],
		[
			{ name: 'a', data: [] },
			{ name: 'a', data: [] },
		],
		[{ gadgets: [] }, { gadgets: [] }],
		[{ data: record }, record],
		[{ thing: record }, record],
		[{ Thing: record, success: true, message: 'Found' }, record],
		[
			{ thing: record, name: 'a' },
			{ thing: record, name: 'a' },
		],
		[{ result: 'OK' }, { result: 'OK' }],
	])('finds in %j the record %j', (body, expectedRecord) => {
		expect(oneRecord(body, path)).toEqual({ record: expectedRecord });
	});

	it.each([
		[{ things: [] }, 'an empty list'],
		[{ THINGS: [], total: 0 }, 'an empty list'],
		[{ data: [], requestId: 'r', pagination: { total: 0 } }, 'an empty list'],
		[{ results: [record, record], count: 2 }, 'a list of 2 entries'],
		[{ things: [null] }, 'nothing'],
		[{ things: ['x'] }, 'something that is not a record'],
		[{ data: null }, 'nothing'],
		[{ data: {} }, 'an empty record'],
		[{}, 'an empty record'],
		[[{}], 'an empty record'],
		[undefined, 'nothing'],
		[null, 'nothing'],
		['', 'nothing'],
		['text', 'something that is not a record'],
		[[], 'an empty list'],
		[['', ''], 'a list of 2 entries'],
	])('finds in %j no record but %s', (body, actual) => {
		expect(oneRecord(body, path)).toEqual({ actual });
	});

	it('accepts no plural wrapper if the path does not end with an ID', () => {
		expect(oneRecord({ things: [] }, '/api/things')).toEqual({ record: { things: [] } });
		expect(oneRecord({ things: [] })).toEqual({ record: { things: [] } });
	});
});

describe('missingList', () => {
	it.each([
		[[]],
		[[record, { message: 'a record of its own kind' }]],
		[[{ name: 'without an ID' }]],
		[{ data: [] }],
		[{ things: [record], message: 'One found' }],
		[record],
		[null],
	])('finds a list in %j', (body) => {
		expect(missingList(body, recordKind)).toBeUndefined();
	});

	it.each([
		[{}, 'an empty record'],
		[{ message: 'Locked' }, 'a record without an ID'],
		[{ data: null }, 'a record without an ID'],
		[[{ message: 'Locked' }], 'a list of errors'],
		[[{ errorCode: 'A' }, { errorCode: 'B' }], 'a list of errors'],
		[{ data: [{ errorCode: 'A' }] }, 'a list of errors'],
	])('finds in %j no list but %s', (body, actual) => {
		expect(missingList(body, recordKind)).toBe(actual);
	});

	it('does not judge records whose ID is unknown', () => {
		expect(missingList({ message: 'Locked' }, {})).toBeUndefined();
	});
});

describe('listUnderUnknownName', () => {
	const others = [{ id: 2 }, { id: 3 }];
	it.each([
		[{ value: [record] }, 'value', [record]],
		[{ value: [record], count: 1, nextLink: null }, 'value', [record]],
		[{ value: others, errors: [record], warnings: [record], _links: [record] }, 'value', others],
		[{ response: { rows: others } }, 'response.rows', others],
		[{ data: { gadgets: others } }, 'data.gadgets', others],
		[{ value: others, notes: ['text'] }, 'value', others],
		[{ value: others, notes: [] }, 'value', others],
		[{ value: [], total: 0 }, 'value', []],
	])('finds in %j the list %s', (body, name, records) => {
		expect(listUnderUnknownName(body, recordKind)).toEqual({ name, records });
		expect(missingList(body, recordKind)).toBeUndefined();
		expect(strictRecords(body, recordKind)).toBeUndefined();
	});

	it.each([
		[{ value: [record], included: [record] }, 'a record without an ID'],
		[{ value: [record], response: { rows: [record] } }, 'a record without an ID'],
		[{ value: [record, { name: 'no ID' }] }, 'a record without an ID'],
		[{ value: [record, null] }, 'a record without an ID'],
		[{ value: [], state: 'busy' }, 'a record without an ID'],
		[{ errors: [record] }, 'a record without an ID'],
		[{ a: { b: { c: [record] } } }, 'a record without an ID'],
		[{ value: [{ name: 'no ID' }] }, 'a record without an ID'],
	])('finds none in %j', (body, actual) => {
		expect(listUnderUnknownName(body, recordKind)).toBeUndefined();
		expect(missingList(body, recordKind)).toBe(actual);
	});

	it.each([[[record]], [{ items: [record] }], [{ ...record, parts: [record] }], [record], [null]])(
		'leaves %j to the known names',
		(body) => {
			expect(listUnderUnknownName(body, recordKind)).toBeUndefined();
		},
	);
});

describe('identifiedRecord', () => {
	it.each([
		[{ id: 7 }, '7'],
		[{ id: '7' }, '007'],
		[{ id: '0007' }, '7'],
		[{ id: ' 7 ' }, '7'],
		[{ id: 'a7' }, 'a7'],
		[{ id: 'a7' }, undefined],
	])('finds %j if %j is requested', (body, requestedId) => {
		expect(identifiedRecord(body, path, recordKind, requestedId)).toEqual({ record: body });
	});

	it.each([
		[{ id: 8 }, 'a record with another ID'],
		[{ id: 'x7' }, 'a record with another ID'],
		[{ id: '7.0' }, 'a record with another ID'],
		[{ id: 9007199254740993 }, 'a record without an ID'],
		[{ id: true }, 'a record without an ID'],
		[{ name: 'seven' }, 'a record without an ID'],
		[{}, 'an empty record'],
	])('finds in %j, if 7 is requested, no record but %s', (body, actual) => {
		expect(identifiedRecord(body, path, recordKind, '7')).toEqual({ actual });
	});
});

describe('strictRecords', () => {
	it.each([
		[[], true],
		[[record, { id: 'two' }], true],
		[{ data: [] }, true],
		[{ Things: [record], success: true, errors: [], error: null }, true],
		[{ data: [], unsuccess: false, success_rate: false, terror: 'x', errors_seen: 7 }, true],
		[{ data: [], errors: {}, error: '' }, true],
		[record, false],
		[{ ...record, errors: ['a field of the record'] }, false],
		[{ data: record }, false],
	])('accepts %j, with isList = %j', (body, isList) => {
		expect(strictRecords(body, recordKind)).toEqual({
			records: recordsOf(body, recordKind),
			isList,
		});
	});

	it.each([
		[undefined],
		[null],
		[42],
		['[]'],
		[{}],
		[{ data: null }],
		[{ data: {} }],
		[{ gadgets: [] }],
		[{ data: [], results: [] }],
		[{ data: [], Data: [] }],
		[{ data: [], error: { code: 7 } }],
		[{ data: [], Success: 'false' }],
		[{ data: [], success: false }],
		[{ data: [], Error: 'no' }],
		[{ data: [], ERRORS: ['no'] }],
		[[null]],
		[['x']],
		[[[]]],
		[[record, {}]],
		[[{ id: null }]],
		[[{ id: '' }]],
		[[{ id: ' ' }]],
		[[{ id: {} }]],
		[[{ id: 9007199254740993 }]],
		[{ name: 'no ID' }],
		[{ ...record, success: false }],
	])('rejects %j', (body) => {
		expect(strictRecords(body, recordKind)).toBeUndefined();
	});

	it('agrees with recordsOf on every body that it accepts, and returns only records with IDs', () => {
		const id = fc.oneof(fc.nat(), fc.string(), fc.constantFrom(null, undefined, {}, []));
		const entry = fc.oneof(fc.record({ id, name: fc.string() }), fc.jsonValue());
		const name = fc.constantFrom('data', 'Items', 'things', 'error', 'success', 'id', 'other');
		const body = fc.oneof(
			fc.jsonValue(),
			fc.array(entry, { maxLength: 4 }),
			fc.dictionary(name, fc.oneof(fc.array(entry, { maxLength: 4 }), entry), { maxKeys: 3 }),
		);
		fc.assert(
			fc.property(body, (responseBody) => {
				const accepted = strictRecords(responseBody, recordKind);
				if (!accepted) return;
				expect(accepted.records).toEqual(recordsOf(responseBody, recordKind));
				for (const record of accepted.records) {
					expect(['string', 'number']).toContain(typeof record.id);
				}
			}),
			{ numRuns: 500 },
		);
	});
});

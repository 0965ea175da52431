import fc from 'fast-check';

import {
	oneRecord,
	recordsOf,
	strictRecords,
	writtenRecord,
} from '../../../nodes/engine/http/records';
import type { RecordKind } from '../../../nodes/engine/http/records';

const recordKind: RecordKind = { identify: ({ id }) => id, plural: 'Things' };
const one = { id: 1 };

describe('recordsOf', () => {
	it.each([
		[[one], [one]],
		[{ data: [one] }, [one]],
		[{ data: [one], pagination: { total: 1 } }, [one]],
		[{ Items: [one] }, [one]],
		[{ RESULTS: [one], message: 'one found' }, [one]],
		[{ records: [one] }, [one]],
		[{ things: [one] }, [one]],
		[{ Things: [] }, []],
		[{ results: [], data: [one] }, [one]],
		[one, [one]],
		[{ data: one }, [one]],
		[{ Thing: one }, [one]],
		[{ item: one, status: 'ok' }, [one]],
		[{ ...one, items: [{ id: 2 }] }, [{ ...one, items: [{ id: 2 }] }]],
		[{ gadgets: [one] }, [{ gadgets: [one] }]],
		[[null, 'text', 7, [], one], [one]],
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
	expect(recordsOf({ items: [one] }, {})).toEqual([one]);
	expect(recordsOf({ items: [one] })).toEqual([one]);
	expect(recordsOf({ things: [one] }, {})).toEqual([{ things: [one] }]);
});

describe('oneRecord', () => {
	const path = '/api/things/{thingId}';

	it.each([
		[
			{ id: 1, name: 'a' },
			{ id: 1, name: 'a' },
		],
		[[one], one],
		[{ data: [one] }, one],
		[{ things: [one] }, one],
		[{ Things: [one], total: 1, request_id: 'r', Success: true }, one],
		[{ data: [one], nextPage: null, 'page-size': 10, has_more: false }, one],
		// A record without an ID, with lists of its own.
		[
			{ name: 'a', items: [one, one] },
			{ name: 'a', items: [one, one] },
		],
		[
			{ name: 'a', data: [] },
			{ name: 'a', data: [] },
		],
		[{ gadgets: [] }, { gadgets: [] }],
	])('finds in %j the record %j', (body, record) => {
		expect(oneRecord(body, path)).toEqual({ record });
	});

	it.each([
		[{ things: [] }, 'an empty list'],
		[{ THINGS: [], total: 0 }, 'an empty list'],
		[{ data: [], requestId: 'r', pagination: { total: 0 } }, 'an empty list'],
		[{ results: [one, one], count: 2 }, 'a list of 2 entries'],
		[{ things: [null] }, 'nothing'],
		[{ things: ['x'] }, 'something that is not a record'],
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

describe('writtenRecord', () => {
	it.each([
		[one, { record: one }],
		[[one], { record: one }],
		[{ things: [one] }, { record: one }],
		[{}, { actual: 'an empty record' }],
		[[{}], { actual: 'an empty record' }],
		[undefined, { actual: 'nothing' }],
		[[], { actual: 'an empty list' }],
	])('reads %j as %j', (body, read) => {
		expect(writtenRecord(body, '/api/things/{thingId}')).toEqual(read);
	});
});

describe('strictRecords', () => {
	it.each([
		[[], true],
		[[one, { id: 'two' }], true],
		[{ data: [] }, true],
		[{ Things: [one], success: true, errors: [], error: null }, true],
		[{ data: [], unsuccess: false, success_rate: false, terror: 'x', errors_seen: 7 }, true],
		[{ data: [], errors: {}, error: '' }, true],
		[one, false],
		[{ data: one }, false],
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
		[[one, {}]],
		[[{ id: null }]],
		[[{ id: '' }]],
		[[{ id: ' ' }]],
		[[{ id: {} }]],
		[[{ id: 9007199254740993 }]],
		[{ name: 'no ID' }],
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
				const holding = strictRecords(responseBody, recordKind);
				if (!holding) return;
				expect(holding.records).toEqual(recordsOf(responseBody, recordKind));
				for (const record of holding.records) {
					expect(['string', 'number']).toContain(typeof record.id);
				}
			}),
			{ numRuns: 500 },
		);
	});
});

// Protects list triggers from false changes: a record's digest follows its contents, not the order of its fields.
import {
	chainDigest,
	contentDigest,
	startKeyOf,
	statusDigest,
} from '../../../../nodes/engine/trigger/lists/core/digest';

describe('digests', () => {
	test("contentDigest ignores the order of a record's keys", () => {
		const record = { b: { y: 1, x: [2, { q: 1, p: 2 }] }, a: null };
		expect(contentDigest(record)).toBe(
			contentDigest({ a: null, b: { x: [2, { p: 2, q: 1 }], y: 1 } }),
		);
		expect(contentDigest(record)).not.toBe(contentDigest({ ...record, a: 1 }));
		expect(contentDigest({ list: [1, 2] })).not.toBe(contentDigest({ list: [2, 1] }));
		expect(contentDigest(record)).toMatch(/^[\w-]{5}$/);
	});

	test('contentDigest does not depend on ignored fields', () => {
		expect(contentDigest({ a: 1, count: 2 }, ['count'])).toBe(contentDigest({ a: 1 }, ['count']));
		expect(contentDigest({ a: 1, count: 2 }, ['count'])).not.toBe(
			contentDigest({ a: 2 }, ['count']),
		);
	});

	test('statusDigest treats a missing status as null, and differs for all usual statuses', () => {
		expect(statusDigest(undefined)).toBe(statusDigest(null));
		const usualStatuses = [
			'',
			'pending',
			'confirmed',
			'cancelled',
			'canceled',
			'registered',
			'waitlisted',
		];
		expect(new Set(usualStatuses.map(statusDigest)).size).toBe(usualStatuses.length);
		expect(statusDigest('pending')).toMatch(/^[\w-]{4}$/);
	});

	test('startKeyOf depends on where one part ends and the next begins', () => {
		expect(startKeyOf('ab', 'c')).not.toBe(startKeyOf('a', 'bc'));
		expect(startKeyOf('a')).toMatch(/^[\w-]{43}$/);
		expect(chainDigest('a')).toMatch(/^[\w-]{8}$/);
	});
});

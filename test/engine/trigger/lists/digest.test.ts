import {
	chainDigest,
	contentDigest,
	startKeyOf,
	statusDigest,
} from '../../../../nodes/engine/trigger/lists/core/digest';

describe('digests', () => {
	test('the same content is the same, in whatever order its names come', () => {
		const record = { b: { y: 1, x: [2, { q: 1, p: 2 }] }, a: null };
		expect(contentDigest(record)).toBe(
			contentDigest({ a: null, b: { x: [2, { p: 2, q: 1 }], y: 1 } }),
		);
		expect(contentDigest(record)).not.toBe(contentDigest({ ...record, a: 1 }));
		expect(contentDigest({ list: [1, 2] })).not.toBe(contentDigest({ list: [2, 1] }));
		expect(contentDigest(record)).toMatch(/^[\w-]{5}$/);
	});

	test('what is ignored is no change', () => {
		expect(contentDigest({ a: 1, count: 2 }, ['count'])).toBe(contentDigest({ a: 1 }, ['count']));
		expect(contentDigest({ a: 1, count: 2 }, ['count'])).not.toBe(
			contentDigest({ a: 2 }, ['count']),
		);
	});

	test('no status at all is the same as none, and the usual ones differ', () => {
		expect(statusDigest(undefined)).toBe(statusDigest(null));
		const usual = ['', 'pending', 'confirmed', 'cancelled', 'canceled', 'registered', 'waitlisted'];
		expect(new Set(usual.map(statusDigest)).size).toBe(usual.length);
		expect(statusDigest('pending')).toMatch(/^[\w-]{4}$/);
	});

	test('a key depends on where one part ends and the next begins', () => {
		expect(startKeyOf('ab', 'c')).not.toBe(startKeyOf('a', 'bc'));
		expect(startKeyOf('a')).toMatch(/^[\w-]{43}$/);
		expect(chainDigest('a')).toMatch(/^[\w-]{8}$/);
	});
});

import { problemWith, readSnapshot, waitedSeconds } from '../../nodes/engine/watch';
import type { Ended } from '../../nodes/engine/watch';

const json = (bytes: number) => 'x'.repeat(bytes - 2);

describe('an id to watch', () => {
	const loop: Record<string, unknown> = {};
	loop.loop = loop;

	test.each<[string, object]>([
		['plain', { id: 'a' }],
		['with blanks around it', { id: ' a\n' }],
		['of 128 characters', { id: ` ${'a'.repeat(128)} ` }],
		['of three dots', { id: '...' }],
		['with an emoji', { id: 'a😀' }],
		['with a subject of 256 characters', { id: 'a', subject: 's'.repeat(256) }],
		['with an empty subject', { id: 'a', subject: '' }],
		['with a kilobyte of data', { id: 'a', data: json(1024) }],
		['with nothing as data', { id: 'a', data: null }],
	])('%s can be watched', (_, given) => {
		expect(problemWith(given as { id: unknown })).toBeUndefined();
	});

	test.each<[string, object, string, RegExp]>([
		['missing', {}, 'badId', /^An ID must be text that can be part of an address/],
		['a number', { id: 7 }, 'badId', /^An ID must be text/],
		['empty', { id: '' }, 'badId', /^An ID must be text/],
		['blank', { id: ' ' }, 'badId', /^An ID must be text/],
		['a dot', { id: '.' }, 'badId', /^An ID must be text/],
		['two dots', { id: ' .. ' }, 'badId', /^An ID must be text/],
		['of two lines', { id: 'a\nb' }, 'badId', /^An ID must be text/],
		['half a character', { id: 'a\ud800' }, 'badId', /^An ID must be text/],
		['too long', { id: 'a'.repeat(129) }, 'badId', /^An ID has 129 characters; at most 128/],
		[
			'with a number for a subject',
			{ id: 'a', subject: 7 },
			'badId',
			/subject must be text of up to 256/,
		],
		[
			'with too long a subject',
			{ id: 'a', subject: 's'.repeat(257) },
			'badId',
			/^A subject must be/,
		],
		[
			'with too much data',
			{ id: 'a', data: json(1025) },
			'tooMuchData',
			/must be JSON of up to 1 kB/,
		],
		[
			'with data of many bytes',
			{ id: 'a', data: 'ü'.repeat(512) },
			'tooMuchData',
			/^The data of an ID/,
		],
		['with a function for data', { id: 'a', data: () => 7 }, 'tooMuchData', /^The data of an ID/],
		['with endless data', { id: 'a', data: loop }, 'tooMuchData', /^The data of an ID/],
	])('%s cannot', (_, given, reason, message) => {
		expect(problemWith(given as { id: unknown })).toEqual({
			ok: false,
			reason,
			message: expect.stringMatching(message) as string,
		});
	});
});

describe('what was saved', () => {
	const entry = { id: 'a', since: 5, polls: 2 };
	const read = (...ids: unknown[]) => readSnapshot({ ids }).ids;

	test.each([
		undefined,
		null,
		7,
		'text',
		[],
		{},
		{ ids: 'a', ended: 7 },
		{ ids: [null, 7, 'a', []] },
	])('is nothing in %j', (saved) => {
		expect(readSnapshot(saved)).toEqual({ ids: [], ended: [] });
	});

	test('comes back as it was, as a copy', () => {
		const end = {
			outcome: 'done',
			at: 9,
			result: { x: 1 },
			trouble: 'no',
			emittedAt: 10,
			told: 'typed',
		};
		const full = { ...entry, seen: true, handed: true, data: { n: 1 }, subject: 's', end };
		const saved = { version: 1, ids: [full, { ...entry, id: 'b' }], ended: ['c', 'd'] };
		const found = readSnapshot(saved);
		expect(found).toEqual({ ids: saved.ids, ended: saved.ended });
		expect(found.ids[0]).not.toBe(full);
		expect(Object.keys(found.ids[1]!)).toEqual(['id', 'since', 'polls']);
	});

	test('is left out where it cannot be understood', () => {
		expect(read({ ...entry, id: '' }, { since: 5 }, { ...entry, subject: 7 })).toEqual([]);
		expect(readSnapshot({ ended: ['a', 7, null, 'b'] }).ended).toEqual(['a', 'b']);
		expect(read({ id: 'a', since: 'x', polls: null })).toEqual([{ id: 'a', since: 0, polls: 0 }]);
		expect(read({ ...entry, seen: 1, handed: 'yes' })).toEqual([entry]);
		for (const end of [null, 'done', {}, { outcome: 7 }]) {
			expect(read({ ...entry, end })).toEqual([entry]);
		}
		expect(read({ ...entry, end: { outcome: 'x', at: 'y', emittedAt: 'z', told: 'w' } })).toEqual([
			{ ...entry, end: { outcome: 'x', at: 0 } },
		]);
		expect(read({ ...entry, end: { outcome: 'x', at: 1, told: 'handed' } })).toEqual([
			{ ...entry, end: { outcome: 'x', at: 1, told: 'handed' } },
		]);
	});
});

test.each([
	[0, 0],
	[49, 0],
	[50, 0.1],
	[1234, 1.2],
	[3_600_000, 3600],
])('%d ms are %d seconds of waiting', (ms, seconds) => {
	const ended = { firstSeen: 1000, finishedAt: 1000 + ms } as Ended;
	expect(waitedSeconds(ended)).toBe(seconds);
});

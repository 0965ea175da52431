import fc from 'fast-check';

import { upcomingFirst } from '../../../nodes/engine/panel/upcoming';
import { normalizeForSearch } from '../../../nodes/engine/values/normalize';

describe('normalizing a text for searches', () => {
	it.each([
		['Phạm Thị Đào', 'pham thi dao'],
		['Åkesson', 'akesson'],
		['Kjær', 'kjaer'],
		['Jørgen', 'jorgen'],
		['Weiß', 'weiss'],
		['Łukasz', 'lukasz'],
		['YILDIRIM', 'yildirim'],
		['Yıldırım', 'yildirim'],
		['İzmir', 'izmir'],
		['O’Brien', "o'brien"],
		['Œuvre', 'oeuvre'],
		['Þór', 'thor'],
		['한국', '한국'],
		['がく', 'がく'],
		['कि', 'कि'],
	])('converts %s to "%s"', (input, compared) => {
		expect(normalizeForSearch(input)).toBe(compared);
	});

	it('returns the same in whatever way the text was typed', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (text) => {
				expect(normalizeForSearch(normalizeForSearch(text))).toBe(normalizeForSearch(text));
				expect(normalizeForSearch(text.normalize('NFD'))).toBe(
					normalizeForSearch(text.normalize('NFC')),
				);
			}),
		);
	});
});

describe('sorting upcoming events', () => {
	const now = Date.parse('2026-06-15T12:00:00Z');
	const arrange = upcomingFirst({ start: 'from', end: 'to' });
	const order = (records: Array<Record<string, string | null>>) =>
		arrange(records, now).map(({ id }) => id);

	it('puts upcoming ones first (the next on top), then undated ones, then past ones (the latest on top)', () => {
		expect(
			order([
				{ id: 'long over', from: '2024-05-01T08:00:00Z', to: '2024-05-02T18:00:00Z' },
				{ id: 'next year', from: '2027-05-01T08:00:00Z', to: '2027-05-02T18:00:00Z' },
				{ id: 'undated', from: null },
				{ id: 'just over', from: '2026-06-14T08:00:00Z', to: '2026-06-15T11:59:59Z' },
				{ id: 'next week', from: '2026-06-22T08:00:00Z', to: '2026-06-23T18:00:00Z' },
				{ id: 'under way', from: '2026-06-14T08:00:00Z', to: '2026-06-16T18:00:00Z' },
			]),
		).toEqual(['under way', 'next week', 'next year', 'undated', 'just over', 'long over']);
	});

	it('treats a date without a time as lasting until the end of the day', () => {
		expect(
			order([
				{ id: 'yesterday', from: '2026-06-14', to: '2026-06-14' },
				{ id: 'today', from: '2026-06-15', to: '2026-06-15' },
				{ id: 'today, open end', from: '2026-06-15' },
				{ id: 'until today', to: '2026-06-15' },
			]),
		).toEqual(['today', 'today, open end', 'until today', 'yesterday']);
	});

	it('keeps every entry once', () => {
		const time = fc.option(
			fc.oneof(
				fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
				fc.string(),
			),
		);
		fc.assert(
			fc.property(fc.array(fc.record({ from: time, to: time })), (records) => {
				const arranged = arrange(records, now);
				expect(new Set(arranged)).toEqual(new Set(records));
				expect(arranged).toHaveLength(records.length);
				expect(arrange(arranged, now)).toEqual(arranged);
			}),
		);
	});
});

// Protects users of the lists in a panel: a search finds a name without its accents, and upcoming events come first.
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
	])('converts %s to "%s"', (input, normalized) => {
		expect(normalizeForSearch(input)).toBe(normalized);
	});

	it('returns one text for all Unicode forms of a text, and keeps a normalized text', () => {
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
	const nowMs = Date.parse('2026-06-15T12:00:00Z');
	const sortEvents = upcomingFirst({ start: 'from', end: 'to' });
	const sortIds = (records: Array<Record<string, string | null>>) =>
		sortEvents(records, nowMs).map(({ id }) => id);

	it('puts upcoming events first (the next on top), then undated events, then past events (the latest on top)', () => {
		expect(
			sortIds([
				{ id: 'long over', from: '2024-05-01T08:00:00Z', to: '2024-05-02T18:00:00Z' },
				{ id: 'next year', from: '2027-05-01T08:00:00Z', to: '2027-05-02T18:00:00Z' },
				{ id: 'undated', from: null },
				{ id: 'just over', from: '2026-06-14T08:00:00Z', to: '2026-06-15T11:59:59Z' },
				{ id: 'next week', from: '2026-06-22T08:00:00Z', to: '2026-06-23T18:00:00Z' },
				{ id: 'under way', from: '2026-06-14T08:00:00Z', to: '2026-06-16T18:00:00Z' },
			]),
		).toEqual(['under way', 'next week', 'next year', 'undated', 'just over', 'long over']);
	});

	it('keeps an event whose end has no time among the upcoming ones until the end of the day', () => {
		expect(
			sortIds([
				{ id: 'yesterday', from: '2026-06-14', to: '2026-06-14' },
				{ id: 'today', from: '2026-06-15', to: '2026-06-15' },
				{ id: 'today, open end', from: '2026-06-15' },
				{ id: 'until today', to: '2026-06-15' },
			]),
		).toEqual(['today', 'today, open end', 'until today', 'yesterday']);
	});

	it('returns every event once, and keeps an order that is already sorted', () => {
		const anyTime = fc.option(
			fc.oneof(
				fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
				fc.string(),
			),
		);
		fc.assert(
			fc.property(fc.array(fc.record({ from: anyTime, to: anyTime })), (records) => {
				const sortedEvents = sortEvents(records, nowMs);
				expect(new Set(sortedEvents)).toEqual(new Set(records));
				expect(sortedEvents).toHaveLength(records.length);
				expect(sortEvents(sortedEvents, nowMs)).toEqual(sortedEvents);
			}),
		);
	});
});

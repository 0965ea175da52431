// Protects contacts from needless and missed updates: two spellings are equal only if they mean the same in their field.
import { isSameValue } from '../../../../nodes/EventRegistration/contact/sync/isSameValue';
import type { FieldKind } from '../../../../nodes/EventRegistration/form/fieldKind';

it.each<[FieldKind, string, string]>([
	['text', ' Ada ', 'Ada'],
	['number', '1', '1.0'],
	['number', '007.50', '+7.5'],
	['number', '-0', '0'],
	['number', '.5', '0.50'],
	['boolean', 'true', 'Yes'],
	['boolean', '0', 'no'],
	['boolean', 'OFF', 'N'],
	['date', '2026-11-30', '2026-11-30T00:00:00'],
	['date', '2026-11-30T00:00:00.000Z', '2026-11-30 00:00'],
	['dateTime', '2026-11-30T09:00:00.000Z', '2026-11-30T10:00:00+01:00'],
	['dateTime', '2026-11-30T09:00:00.000Z', '2026-11-30 09:00'],
	['choices', 'Red, Blue', 'Blue;Red'],
	['choices', 'Red', 'Red,'],
])('the %s value "%s" is the same as "%s"', (kind, sent, stored) => {
	expect(isSameValue({ kind }, sent, stored)).toBe(true);
	expect(isSameValue({ kind }, stored, sent)).toBe(true);
});

it.each<[FieldKind, string, string]>([
	['text', 'Ada', 'ada'],
	['text', '1', '1.0'],
	['text', '00123', '123'],
	['text', 'true', 'Yes'],
	['number', '1', '-1'],
	['number', '10', '1'],
	['number', '9007199254740993', '9007199254740992'],
	['number', '0', ''],
	['number', '.', '0'],
	['number', '1,000', '1000'],
	['number', 'B1', '1'],
	['number', '1.5 m', '1.5'],
	['boolean', 'yes', 'no'],
	['boolean', 'no', ''],
	['boolean', 'maybe', 'perhaps'],
	['boolean', 'yesterday', 'yes'],
	['boolean', 'eyes', 'yes'],
	['boolean', 'note', 'no'],
	['boolean', 'piano', 'no'],
	['date', '2026-11-30', '2026-12-01'],
	['date', '2026-11-30', '2026-11-30T23:00:00Z'],
	['date', '2026-11-30', '11/30/2026'],
	['date', '2026-11-30', 'until 2026-11-30'],
	['dateTime', '2026-11-30T09:00:00Z', '2026-11-30T09:00:00+01:00'],
	['dateTime', 'today', 'tomorrow'],
	['dateTime', '2026-11-30T09:00:00Z', 'at 2026-11-30T09:00:00Z'],
	['dateTime', '2026-11-30T09:00:00Z', '2026-11-30T09:00:00Z or later'],
	['choices', 'Red, Blue', 'Red'],
	['choices', 'Red', 'red'],
	['choices', ',', ''],
])('the %s value "%s" differs from "%s"', (kind, sent, stored) => {
	expect(isSameValue({ kind }, sent, stored)).toBe(false);
	expect(isSameValue({ kind }, stored, sent)).toBe(false);
});

describe('answers that contain a separator', () => {
	const type = { kind: 'choices', options: ['Red', 'Red, dark', 'dark', 'Blue'] } as const;

	it.each([
		['Red, dark, Blue', 'Blue;Red, dark'],
		['Red, dark', ' Red, dark ;'],
		['Blue, Red', 'Red|Blue'],
		['Green, Red', 'Red;Green'],
	])('the answers in "%s" equal those in "%s"', (sent, stored) => {
		expect(isSameValue(type, sent, stored)).toBe(true);
		expect(isSameValue(type, stored, sent)).toBe(true);
	});

	it.each([
		['Red, dark', 'Red;dark'],
		['Red, dark', 'dark, Red'],
		['Red, dark', 'Red, darker'],
	])('the answers in "%s" differ from those in "%s"', (sent, stored) => {
		expect(isSameValue(type, sent, stored)).toBe(false);
		expect(isSameValue(type, stored, sent)).toBe(false);
	});
});

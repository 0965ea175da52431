import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

/** The meaning of a value, which JSON can spell in several ways. */
export type MeantValue =
	| { kind: 'time'; seconds: number; fraction: string }
	| { kind: 'number'; value: number }
	| { kind: 'plain'; value: string | boolean | null }
	| { kind: 'list'; entries: MeantValue[] }
	| { kind: 'object'; entries: Array<[string, MeantValue]> };

export const anyTime = fc.record({
	kind: fc.constant('time' as const),
	seconds: fc.integer({ min: Date.UTC(1970, 0) / 1000, max: Date.UTC(2099, 0) / 1000 }),
	fraction: fc.constantFrom('', '', '5', '25', '123', '0000007'),
});
export const anyPlain = fc.record({
	kind: fc.constant('plain' as const),
	value: fc.oneof(fc.string(), fc.boolean(), fc.constant(null)),
});
const anyNumber = fc.record({
	kind: fc.constant('number' as const),
	value: fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 0.5, 12.75)),
});
export const { anyValue } = fc.letrec<{ anyValue: MeantValue }>((tie) => ({
	anyValue: fc.oneof(
		{ depthSize: 'small' },
		anyTime,
		anyPlain,
		anyNumber,
		fc.record({
			kind: fc.constant('list' as const),
			entries: fc.array(tie('anyValue'), { maxLength: 3 }),
		}),
		fc.record({ kind: fc.constant('object' as const), entries: anyEntries(tie('anyValue')) }),
	),
}));
function anyEntries(value: fc.Arbitrary<MeantValue>): fc.Arbitrary<Array<[string, MeantValue]>> {
	return fc.uniqueArray(fc.tuple(fc.string(), value), {
		selector: ([name]) => name,
		maxLength: 4,
	});
}
/** A record without the fields that the change schema below names. */
export const anyRecord = anyEntries(anyValue).map((entries): MeantValue => ({
	kind: 'object',
	entries: entries.filter(([name]) => !['Made', 'Stamp', 'CheckIn', 'Status'].includes(name)),
}));

export const toTwoDigits = (value: number) => `${value}`.padStart(2, '0');

/** Spells a moment in one of the ways that ISO 8601 and RFC 5322 allow. */
function spellTime({ seconds, fraction }: MeantValue & { kind: 'time' }, draw: Draw): string {
	const offsetMinutes = draw.pickFrom([0, 0, 60, 120, -300, 330, -210]);
	const local = new Date((seconds + 60 * offsetMinutes) * 1000);
	const offset = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60].map(
		toTwoDigits,
	);
	const sign = offsetMinutes < 0 ? '-' : '+';
	if (fraction === '' && draw.pickFrom([true, false, false])) {
		const [day, month, year] = local.toUTCString().slice(5, 16).split(' ') as [
			string,
			string,
			string,
		];
		const clock = local.toUTCString().slice(17, 25);
		const zone =
			offsetMinutes === 0 && draw.pickFrom([true, false]) ? 'GMT' : sign + offset.join('');
		const weekday = draw.pickFrom(['', local.toUTCString().slice(0, 5)]);
		return `${weekday}${day} ${month} ${year} ${clock} ${zone}`;
	}
	const zones = [sign + offset.join(':'), sign + offset.join('')];
	if (offset[1] === '00') zones.push(sign + offset[0]!);
	if (offsetMinutes === 0) zones.push('Z', 'z', '-00:00');
	const [day, clock] = local.toISOString().slice(0, 19).split('T') as [string, string];
	const zeros = draw.pickFrom(['', '0', '000']);
	const hasFraction = fraction + zeros !== '';
	const isWholeMinute = !hasFraction && clock.endsWith(':00') && draw.pickFrom([true, false]);
	return (
		day +
		draw.pickFrom(['T', 't', ' ']) +
		(isWholeMinute ? clock.slice(0, 5) : clock) +
		(hasFraction ? `${draw.pickFrom(['.', ','])}${fraction}${zeros}` : '') +
		draw.pickFrom(zones)
	);
}

/** Serializes a value as JSON, with random spellings of dates and numbers, key order and white space. */
export function spell(meantValue: MeantValue, draw: Draw): string {
	switch (meantValue.kind) {
		case 'time':
			return JSON.stringify(spellTime(meantValue, draw));
		case 'plain':
			return JSON.stringify(meantValue.value);
		case 'number': {
			const text = JSON.stringify(meantValue.value);
			const suffixes = text.includes('.') ? ['0', 'e0'] : ['.0', '.000', 'e0', 'E+0'];
			return text + draw.pickFrom(['', ...suffixes]);
		}
		case 'list':
			return `[${meantValue.entries.map((entry) => spell(entry, draw)).join(draw.pickFrom([',', ' , ']))}]`;
		case 'object': {
			const entries = draw.shuffle(meantValue.entries);
			const texts = entries.map(([name, value]) => `${JSON.stringify(name)}:${spell(value, draw)}`);
			return `{${texts.join()}}`;
		}
	}
}

/** Makes random choices from a list of numbers that fast-check generated. */
export class Draw {
	private next = 0;

	constructor(private readonly numbers: number[]) {}

	pickFrom<T>(choices: T[]): T {
		return choices[this.numbers[this.next++ % this.numbers.length]! % choices.length]!;
	}

	shuffle<T>(entries: T[]): T[] {
		const remaining = [...entries];
		return entries.map(
			() => remaining.splice(this.pickFrom([0, 1, 2, 3, 4, 5]) % remaining.length, 1)[0]!,
		);
	}
}
export const anyDraw = fc
	.array(fc.nat(1000), { minLength: 20, maxLength: 60 })
	.map((numbers) => () => new Draw(numbers));
/** Spells a record and parses it. Each call makes the same random choices. */
export const toRecord = (meantValue: MeantValue, draw: () => Draw) =>
	JSON.parse(spell(meantValue, draw())) as IDataObject;

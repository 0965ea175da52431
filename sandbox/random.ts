/** Seeded randomness: equal seeds give equal sequences on every machine. Not for real secrets. */
export interface Random {
	/** A number from 0 up to, but not including, 1. */
	next(): number;
	/** A whole number from `min` to `max`, both included. */
	int(min: number, max: number): number;
	pick<T>(list: readonly T[]): T;
	/** `length` characters of `alphabet` (base64url by default). */
	text(length: number, alphabet?: string): string;
	digits(length: number): string;
	uuid(): string;
}

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Makes a generator (mulberry32: 32 bits of state, quick, good enough for test data). */
export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
	const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
	const text = (length: number, alphabet = base64url) => {
		let result = '';
		for (let i = 0; i < length; i++) result += alphabet[int(0, alphabet.length - 1)];
		return result;
	};
	return {
		next,
		int,
		pick: (list) => {
			if (list.length === 0) throw new Error('Nothing to pick from');
			return list[int(0, list.length - 1)]!;
		},
		text,
		digits: (length) => text(length, '0123456789'),
		uuid: () => {
			const hex = (length: number) => text(length, '0123456789abcdef');
			return `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[int(0, 3)]}${hex(3)}-${hex(12)}`;
		},
	};
}

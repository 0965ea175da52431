/** Seeded random generator: equal seeds give equal sequences on every machine. Not for real secrets. */
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

/** Mulberry32: 32 bits of state, fast, and good enough for test data. A class, because many are created. */
class Mulberry implements Random {
	private state: number;

	constructor(seed: number) {
		this.state = seed >>> 0;
	}

	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	}

	int(min: number, max: number): number {
		return min + Math.floor(this.next() * (max - min + 1));
	}

	pick<T>(list: readonly T[]): T {
		if (list.length === 0) throw new Error('Nothing to pick from');
		return list[this.int(0, list.length - 1)]!;
	}

	text(length: number, alphabet = base64url): string {
		let result = '';
		for (let i = 0; i < length; i++) result += alphabet[this.int(0, alphabet.length - 1)];
		return result;
	}

	digits(length: number): string {
		return this.text(length, '0123456789');
	}

	uuid(): string {
		const [hex, letters] = ['0123456789abcdef', '89ab'];
		const parts = [this.text(8, hex), this.text(4, hex), `4${this.text(3, hex)}`];
		parts.push(this.text(1, letters) + this.text(3, hex), this.text(12, hex));
		return parts.join('-');
	}
}

/** Creates a generator; equal seeds give equal sequences. */
export function createRandom(seed: number): Random {
	return new Mulberry(seed);
}

import type { World } from '../service';
import type { PhoneNumber } from './phoneNumbers';

/** A phone number that is being verified. */
export interface Verification {
	uuid: string;
	phone: string;
	code: string;
	until: number;
}

const VERIFICATION_LIFETIME_MS = 10 * 60 * 1000;
const DEFAULT_DIGITS = 4;

/** Pending phone verifications. */
export class Verifications {
	private readonly pendingByPhone = new Map<string, Verification>();
	/** Outcome of the last verification of each number. */
	private readonly outcomeByPhone = new Map<string, 'verified' | 'expired'>();

	constructor(private readonly world: World) {}

	reset(): void {
		this.pendingByPhone.clear();
		this.outcomeByPhone.clear();
	}

	/** Returns the pending verification of a number, whose code stays the same, or else a new one. */
	start({ phone }: PhoneNumber, digits = DEFAULT_DIGITS, customCode?: string): Verification {
		const existing = this.find(phone);
		if (existing) return existing;
		const verification = {
			uuid: this.world.random.uuid(),
			phone,
			code: customCode ?? this.world.random.digits(digits),
			until: this.world.now() + VERIFICATION_LIFETIME_MS,
		};
		this.pendingByPhone.set(phone, verification);
		return verification;
	}

	find(phone: string): Verification | undefined {
		const verification = this.pendingByPhone.get(phone);
		if (!verification || verification.until > this.world.now()) return verification;
		this.end(phone, 'expired');
		return undefined;
	}

	/** Returns the state of a number's last verification; undefined if it never had one. */
	findStatus(phone: string): 'pending' | 'verified' | 'expired' | undefined {
		return this.find(phone) ? 'pending' : this.outcomeByPhone.get(phone);
	}

	list(): Verification[] {
		return [...this.pendingByPhone.keys()].flatMap((phone) => this.find(phone) ?? []);
	}

	/** Checks a code; the right one ends the verification. */
	check(phone: string, code: string): 'correct' | 'incorrect' | 'none' {
		const verification = this.find(phone);
		if (!verification) return 'none';
		if (verification.code !== code) return 'incorrect';
		this.end(phone, 'verified');
		return 'correct';
	}

	private end(phone: string, outcome: 'verified' | 'expired'): void {
		this.pendingByPhone.delete(phone);
		this.outcomeByPhone.set(phone, outcome);
	}
}

/** Returns the whole seconds until a verification expires. */
export function computeSecondsUntil(until: number, now: number): number {
	return Math.max(0, Math.floor((until - now) / 1000));
}

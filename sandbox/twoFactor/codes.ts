import type { StoredRecords, World } from '../service';
import { isCurrentCode } from './totp';
import type { User } from './users';

interface CodeEntry {
	code: string;
	action?: string;
	until: number;
}

const LIFE_MS = 10 * 60 * 1000;
const DIGITS = 7;

/** One-time codes that were sent to users, and those that were used. */
export class Codes {
	private sent = new Map<number, CodeEntry[]>();
	private used = new Map<number, CodeEntry[]>();

	constructor(private readonly world: World) {}

	reset(): void {
		this.sent.clear();
		this.used.clear();
	}

	/** Returns the code to send to a user: the previous one while it is valid, else a new one. */
	issue({ id }: User, action: string | undefined): string {
		const valid = this.valid(this.sent, id);
		const before = valid.find((entry) => entry.action === action);
		if (before) return before.code;
		const code = this.world.random.digits(DIGITS);
		this.sent.set(id, [...valid, { code, action, until: this.world.now() + LIFE_MS }]);
		return code;
	}

	/**
	 * Checks a code and consumes it. A code that was sent for an action is valid for that action only, and an action requires
	 * such a code; without an action the app's code is valid too.
	 */
	check(user: User, code: string, action: string | undefined): 'valid' | 'used' | 'wrong' {
		const { id, secret } = user;
		const matches = (entry: CodeEntry) => entry.code === code && entry.action === action;
		const used = this.valid(this.used, id);
		if (used.some(matches)) return 'used';
		const sent = this.valid(this.sent, id);
		const good =
			sent.some(matches) || (action === undefined && isCurrentCode(secret, code, this.world.now()));
		if (!good) return 'wrong';
		this.sent.set(
			id,
			sent.filter((entry) => !matches(entry)),
		);
		this.used.set(id, [...used, { code, action, until: this.world.now() + LIFE_MS }]);
		return 'valid';
	}

	/** Returns the codes of each user: the valid ones and the used ones. */
	storedRecords(): StoredRecords {
		const shown = (map: Map<number, CodeEntry[]>) =>
			Object.fromEntries(
				[...map].flatMap(([id, entries]) =>
					entries
						.filter(({ until }) => until > this.world.now())
						.map(({ code, action }) => [[id, code, action].filter(Boolean).join(' '), { code }]),
				),
			);
		return { sentCodes: shown(this.sent), usedCodes: shown(this.used) };
	}

	/** Returns the entries that have not expired; removes the others, so that neither list grows. */
	private valid(map: Map<number, CodeEntry[]>, id: number): CodeEntry[] {
		const valid = (map.get(id) ?? []).filter(({ until }) => until > this.world.now());
		if (valid.length === 0) map.delete(id);
		return valid;
	}
}

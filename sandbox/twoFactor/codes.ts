import type { StoredRecords, World } from '../service';
import { isCurrentCode } from './totp';
import type { User } from './users';

interface CodeEntry {
	code: string;
	action?: string;
	expiresAt: number;
}

const CODE_LIFETIME_MS = 10 * 60 * 1000;
const CODE_DIGITS = 7;

/** One-time codes that were sent to users, and those that were used. */
export class Codes {
	private sentByUser = new Map<number, CodeEntry[]>();
	private usedByUser = new Map<number, CodeEntry[]>();

	constructor(private readonly world: World) {}

	reset(): void {
		this.sentByUser.clear();
		this.usedByUser.clear();
	}

	/** Returns the code to send to a user: the previous one while it is valid, else a new one. */
	issue({ id }: User, action: string | undefined): string {
		const valid = this.listUnexpired(this.sentByUser, id);
		const previous = valid.find((entry) => entry.action === action);
		if (previous) return previous.code;
		const code = this.world.random.digits(CODE_DIGITS);
		this.sentByUser.set(id, [
			...valid,
			{ code, action, expiresAt: this.world.now() + CODE_LIFETIME_MS },
		]);
		return code;
	}

	/**
	 * Checks a code and consumes it. A code that was sent for an action is valid for that action only. An action requires a
	 * code that was sent for it; without an action, the app's code is valid too.
	 */
	check(user: User, code: string, action: string | undefined): 'valid' | 'used' | 'wrong' {
		const { id, secret } = user;
		const matches = (entry: CodeEntry) => entry.code === code && entry.action === action;
		const used = this.listUnexpired(this.usedByUser, id);
		if (used.some(matches)) return 'used';
		const sent = this.listUnexpired(this.sentByUser, id);
		const isValid =
			sent.some(matches) || (action === undefined && isCurrentCode(secret, code, this.world.now()));
		if (!isValid) return 'wrong';
		this.sentByUser.set(
			id,
			sent.filter((entry) => !matches(entry)),
		);
		this.usedByUser.set(id, [
			...used,
			{ code, action, expiresAt: this.world.now() + CODE_LIFETIME_MS },
		]);
		return 'valid';
	}

	/** Returns the codes of each user: the valid ones and the used ones. */
	storedRecords(): StoredRecords {
		const listStoredCodes = (map: Map<number, CodeEntry[]>) =>
			Object.fromEntries(
				[...map].flatMap(([id, entries]) =>
					entries
						.filter(({ expiresAt }) => expiresAt > this.world.now())
						.map(({ code, action }) => [[id, code, action].filter(Boolean).join(' '), { code }]),
				),
			);
		return {
			sentCodes: listStoredCodes(this.sentByUser),
			usedCodes: listStoredCodes(this.usedByUser),
		};
	}

	/** Returns a user's entries that have not expired. Deletes the user's list once all of its entries have expired. */
	private listUnexpired(map: Map<number, CodeEntry[]>, id: number): CodeEntry[] {
		const valid = (map.get(id) ?? []).filter(({ expiresAt }) => expiresAt > this.world.now());
		if (valid.length === 0) map.delete(id);
		return valid;
	}
}

import { EventEmitter } from 'node:events';

interface ItemBase {
	/** Unique within its kind: a second `deliver` with the same id replaces the first. */
	id: string;
	/** When it reached the phone, in the sandbox's time. */
	at: number;
}

/** A scope job for the holder of the key `to`. */
export interface ScopeJobItem extends ItemBase {
	kind: 'scopeJob';
	to: { fingerprint: string };
	/** The application that asks: the fingerprint of the signer. */
	from: string;
	/** The scope as it was written, such as `email~r phone`. */
	scope: string;
	status: 'waiting' | 'completed' | 'cancelled' | 'expired';
	expiresAt?: number;
	/** Something the phone must know besides, such as the job's `type`. */
	type?: string;
}

/** A push approval for the owner of a phone number. */
export interface ApprovalItem extends ItemBase {
	kind: 'approval';
	to: { phone: string };
	message: string;
	details: Record<string, string>;
	logo?: string;
	status: 'pending' | 'approved' | 'denied' | 'expired';
	expiresAt?: number;
}

/** A text message, a voice call or a mail. */
export interface MessageItem extends ItemBase {
	kind: 'sms' | 'call' | 'mail';
	/** E.164 such as +12025550143; an address for mail. */
	to: { phone: string } | { email: string };
	from: string;
	/** What is written or said, the code included. */
	text: string;
	/** The code in it, so that the phone can offer to copy it. */
	code?: string;
}

export type PhoneItem = ScopeJobItem | ApprovalItem | MessageItem;

/** Whom a phone answers for: items addressed to any of these are shown on it. */
export interface PhoneIdentity {
	fingerprint?: string;
	phone?: string;
	email?: string;
}

/** Digits with a leading plus, whatever separators were written: phones are compared in this form. */
export function normalizePhone(countryCode: string | number, number: string | number): string {
	return `+${`${countryCode}${number}`.replace(/\D/g, '')}`;
}

function isFor(item: PhoneItem, who: PhoneIdentity): boolean {
	const to = item.to as PhoneIdentity;
	return (
		(to.fingerprint !== undefined && to.fingerprint === who.fingerprint) ||
		(to.phone !== undefined && to.phone === who.phone) ||
		(to.email !== undefined && to.email.toLowerCase() === who.email?.toLowerCase())
	);
}

/**
 * What services send to phones. Keeps the newest items, so that a phone that is opened later still
 * finds them, and tells listeners of each arrival and change.
 */
export class PhoneBus extends EventEmitter<{ item: [PhoneItem]; refresh: [] }> {
	private readonly kept = new Map<string, PhoneItem>();

	constructor(private readonly limit = 2000) {
		super();
		this.setMaxListeners(0);
	}

	/** Adds an item, or replaces the one with the same kind and id (a changed status). */
	deliver(item: PhoneItem): void {
		const key = `${item.kind}:${item.id}`;
		this.kept.set(key, item);
		if (this.kept.size > this.limit) {
			const oldest = this.kept.keys().next().value;
			if (oldest !== undefined) this.kept.delete(oldest);
		}
		this.emit('item', item);
	}

	/** Items for this phone, oldest first. */
	items(who?: PhoneIdentity): PhoneItem[] {
		const all = [...this.kept.values()];
		return who ? all.filter((item) => isFor(item, who)) : all;
	}

	/** Calls back for each item for this phone until the returned function is called. */
	watch(who: PhoneIdentity, onItem: (item: PhoneItem) => void): () => void {
		const listener = (item: PhoneItem) => {
			if (isFor(item, who)) onItem(item);
		};
		this.on('item', listener);
		return () => this.off('item', listener);
	}

	/** Forgets everything and tells listeners to load afresh. */
	clear(): void {
		this.kept.clear();
		this.emit('refresh');
	}

	/** Tells listeners to load afresh, as after the clock moved. */
	refresh(): void {
		this.emit('refresh');
	}
}

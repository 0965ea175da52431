import { Bus } from './bus';

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
	/** The application that asks, by its name at the service. */
	from: string;
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

const KEPT = 2000;

/** What services send to phones. */
export class PhoneBus extends Bus<PhoneItem> {
	constructor(limit = KEPT) {
		super(({ kind, id }) => `${kind}:${id}`, limit);
	}

	/** Items for this phone, oldest first. */
	items(who?: PhoneIdentity): PhoneItem[] {
		return this.select(who && ((item) => isFor(item, who)));
	}

	/** Calls back for each item for this phone until the returned function is called. */
	watch(who: PhoneIdentity, onItem: (item: PhoneItem) => void): () => void {
		return this.follow((item) => isFor(item, who), onItem);
	}
}

import { Bus } from './bus';

interface ItemBase {
	/** Unique within its kind: a second `deliver` with the same ID replaces the first. */
	id: string;
	/** Time of arrival by the sandbox's clock. */
	at: number;
}

/** A scope job for the holder of the key `to`. */
interface ScopeJobItem extends ItemBase {
	kind: 'scopeJob';
	to: { fingerprint: string };
	/** The requesting application: the fingerprint of the signer. */
	from: string;
	/** The scope as requested, such as `email~r phone`. */
	scope: string;
	status: 'waiting' | 'completed' | 'cancelled' | 'expired';
	expiresAt?: number;
	/** The job's `type`, if it has one. */
	type?: string;
}

/** A push approval for the owner of a phone number. */
interface ApprovalItem extends ItemBase {
	kind: 'approval';
	to: { phone: string };
	/** Name of the requesting application at the service. */
	from: string;
	message: string;
	details: Record<string, string>;
	logo?: string;
	status: 'pending' | 'approved' | 'denied' | 'expired';
	expiresAt?: number;
}

/** A text message, a voice call or a mail. */
interface MessageItem extends ItemBase {
	kind: 'sms' | 'call' | 'mail';
	/** E.164 such as +12025550143; an address for mail. */
	to: { phone: string } | { email: string };
	from: string;
	/** The written or spoken text, including the code. */
	text: string;
	/** The code in the text, which the phone offers to copy. */
	code?: string;
}

export type PhoneItem = ScopeJobItem | ApprovalItem | MessageItem;

/** The identities of a phone's owner: the phone shows items addressed to any of them. */
export interface PhoneIdentity {
	fingerprint?: string;
	phone?: string;
	email?: string;
}

/** Returns a phone number as a plus sign and digits, without separators: the form in which numbers are compared. */
export function normalizePhone(phone: string): string {
	return `+${phone.replace(/\D/g, '')}`;
}

function isAddressedTo(item: PhoneItem, identity: PhoneIdentity): boolean {
	const recipient = item.to as PhoneIdentity;
	return (
		(recipient.fingerprint !== undefined && recipient.fingerprint === identity.fingerprint) ||
		(recipient.phone !== undefined && recipient.phone === identity.phone) ||
		(recipient.email !== undefined &&
			recipient.email.toLowerCase() === identity.email?.toLowerCase())
	);
}

const MAX_ITEMS = 2000;

/** Publishes items from services to phones. */
export class PhoneBus extends Bus<PhoneItem> {
	constructor(maxItems = MAX_ITEMS) {
		super(({ kind, id }) => `${kind}:${id}`, maxItems);
	}

	/** Returns the items for this phone, oldest first. */
	items(identity?: PhoneIdentity): PhoneItem[] {
		return this.select(identity && ((item) => isAddressedTo(item, identity)));
	}

	/** Calls back for each item for this phone until the returned function is called. */
	watch(identity: PhoneIdentity, onItem: (item: PhoneItem) => void): () => void {
		return this.subscribe((item) => isAddressedTo(item, identity), onItem);
	}
}

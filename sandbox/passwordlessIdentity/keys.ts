import type { JWK } from 'jose';

import { demoKey, phoneOwners } from '../demo';
import type { DemoKey } from '../demo';
import { normalizePhone } from '../phoneBus';
import type { World } from '../service';
import { ProblemError } from './problems';
import { ed25519 } from './tokens';

export interface Contact {
	devtoken?: string;
	email?: string;
	phone?: string;
}

/** A key and the contact data of its holder. */
export interface KeyRecord extends Contact {
	fingerprint: string;
	jwk: JWK;
	secret: string;
	since: number;
	revoked: boolean;
}

/** The secrets that revoke the demo keys: fixed, because the keys were not registered by a request. */
const demoSecrets = {
	application: 'demo-application-secret',
	user: 'demo-user-secret',
	manager: 'demo-manager-secret',
	finance: 'demo-finance-secret',
	deputy: 'demo-deputy-secret',
};

const CODE_LIFE_MS = 10 * 60 * 1000;

/** The keys that the service knows, including revoked ones. */
export class Keys {
	/** The service's own key, registered like any other. It signs the responses to logins. */
	readonly serviceKey = demoKey('identity service');
	private readonly records = new Map<string, KeyRecord>();
	private readonly privateKeys = new Map<string, DemoKey & { name: string }>();
	private readonly codes = new Map<string, { code: string; until: number }>();

	constructor(private readonly world: World) {}

	/** Restores the service's key, the demo application and the people. */
	reset(): void {
		this.records.clear();
		this.privateKeys.clear();
		this.codes.clear();
		const { demo } = this.world;
		this.addWithPrivateKey({ ...this.serviceKey, name: 'Identity Service' }, {}, 'service');
		this.addWithPrivateKey(
			{ ...demo.application, name: 'Demo Application' },
			{},
			demoSecrets.application,
		);
		for (const name of Object.values(phoneOwners)) {
			const { email, phone } = demo[name];
			this.addWithPrivateKey(demo[name], { email, phone }, demoSecrets[name]);
		}
	}

	/** Registers a key with its private half, so that control actions can sign for its holder. */
	addWithPrivateKey(key: DemoKey & { name: string }, contact: Contact, secret: string): void {
		this.privateKeys.set(key.fingerprint, key);
		this.add(key.fingerprint, ed25519(key.fingerprint), contact, secret);
	}

	/** Returns the private key of a fingerprint, if the sandbox has it. */
	privateKeyOf(fingerprint: string): (DemoKey & { name: string }) | undefined {
		return this.privateKeys.get(fingerprint);
	}

	add(fingerprint: string, jwk: JWK, contact: Contact, secret: string): KeyRecord {
		if (this.records.has(fingerprint)) {
			throw new ProblemError(409, 'duplicate-key', 'This key is registered already.');
		}
		const since = this.world.now();
		const record = { fingerprint, jwk, secret, since, revoked: false, ...contact };
		this.records.set(fingerprint, record);
		return record;
	}

	/** Returns the record of a usable key; rejects with 404 or 410 otherwise. */
	get(fingerprint: string): KeyRecord {
		const record = this.records.get(fingerprint);
		if (!record) {
			throw new ProblemError(404, 'unknown-key', 'No key with this fingerprint is registered.');
		}
		if (record.revoked) {
			throw new ProblemError(410, 'revoked-key', 'The key with this fingerprint was revoked.');
		}
		return record;
	}

	/** Returns the record of a usable key, or undefined. */
	find(fingerprint: string): KeyRecord | undefined {
		const record = this.records.get(fingerprint);
		return record?.revoked ? undefined : record;
	}

	all(): KeyRecord[] {
		return [...this.records.values()];
	}

	/** Whether the email address or phone number belongs to another usable key. */
	isTaken({ email, phone }: Contact, fingerprint: string): boolean {
		return this.all().some(
			(record) =>
				!record.revoked &&
				record.fingerprint !== fingerprint &&
				((email !== undefined && sameEmail(record.email, email)) ||
					(phone !== undefined && samePhone(record.phone, phone))),
		);
	}

	/** Returns the usable key that both belong to; rejects with 404 if there is none. */
	byContact(email: string, phone: string): KeyRecord {
		const record = this.all().find(
			(candidate) =>
				!candidate.revoked &&
				sameEmail(candidate.email, email) &&
				samePhone(candidate.phone, phone),
		);
		if (record) return record;
		throw new ProblemError(
			404,
			'unknown-key',
			'No key belongs to this email address and phone number.',
		);
	}

	/** Mails a code that revokes the key; the same code again while it is valid. */
	mailCode({ fingerprint, email }: KeyRecord): void {
		const now = this.world.now();
		const before = this.pendingCode(fingerprint);
		const code = before ?? this.world.random.digits(6);
		this.codes.set(fingerprint, { code, until: now + CODE_LIFE_MS });
		this.world.phone.deliver({
			kind: 'mail',
			id: this.world.random.uuid(),
			at: now,
			to: { email: email! },
			from: 'Identity Service',
			text: `Your code to revoke your key is ${code}.`,
			code,
		});
	}

	/** Returns the code that was mailed for this key and is still valid. */
	pendingCode(fingerprint: string): string | undefined {
		const pending = this.codes.get(fingerprint);
		return pending && pending.until > this.world.now() ? pending.code : undefined;
	}

	/** Returns all codes that were mailed and are still valid, by fingerprint. */
	pendingCodes(): Record<string, string> {
		const all = [...this.codes.keys()].map((fingerprint) => [
			fingerprint,
			this.pendingCode(fingerprint),
		]);
		return Object.fromEntries(all.filter(([, code]) => code !== undefined)) as Record<
			string,
			string
		>;
	}

	revoke(record: KeyRecord): void {
		record.revoked = true;
		this.codes.delete(record.fingerprint);
	}
}

function sameEmail(one: string | undefined, other: string): boolean {
	return one?.toLowerCase() === other.toLowerCase();
}

function samePhone(one: string | undefined, other: string): boolean {
	return one !== undefined && normalizePhone('', one) === normalizePhone('', other);
}

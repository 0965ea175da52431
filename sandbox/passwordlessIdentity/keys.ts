import type { JWK } from 'jose';

import { deriveDemoKey, demoPersonByHolder } from '../demoIdentities';
import type { DemoKey } from '../demoIdentities';
import { normalizePhone } from '../phoneBus';
import type { World } from '../service';
import { ProblemError } from './problems';
import { toEd25519Jwk } from './tokens';

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
	registeredAtMs: number;
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

const CODE_LIFETIME_MS = 10 * 60 * 1000;

/** The keys that the service knows, including revoked ones. */
export class KeyStore {
	/** The service's own key, registered like any other. It signs the responses to logins. */
	readonly serviceKey = deriveDemoKey('identity service');
	private readonly records = new Map<string, KeyRecord>();
	private readonly privateKeys = new Map<string, DemoKey & { name: string }>();
	private readonly revocationCodes = new Map<string, { code: string; expiresAt: number }>();

	constructor(private readonly world: World) {}

	/** Restores the service's key, the demo application and the people. */
	reset(): void {
		this.records.clear();
		this.privateKeys.clear();
		this.revocationCodes.clear();
		const { demo } = this.world;
		this.addWithPrivateKey({ ...this.serviceKey, name: 'Identity Service' }, {}, 'service');
		this.addWithPrivateKey(
			{ ...demo.application, name: 'Demo Application' },
			{},
			demoSecrets.application,
		);
		for (const name of Object.values(demoPersonByHolder)) {
			const { email, phone } = demo[name];
			this.addWithPrivateKey(demo[name], { email, phone }, demoSecrets[name]);
		}
	}

	/** Registers a key with its private half, so that control actions can sign for its holder. */
	addWithPrivateKey(key: DemoKey & { name: string }, contact: Contact, secret: string): void {
		this.privateKeys.set(key.fingerprint, key);
		this.add(key.fingerprint, toEd25519Jwk(key.fingerprint), contact, secret);
	}

	/** Returns the private key of a fingerprint, if the sandbox has it. */
	findPrivateKey(fingerprint: string): (DemoKey & { name: string }) | undefined {
		return this.privateKeys.get(fingerprint);
	}

	add(fingerprint: string, jwk: JWK, contact: Contact, secret: string): KeyRecord {
		if (this.records.has(fingerprint)) {
			throw new ProblemError(409, 'duplicate-key', 'This key is registered already.');
		}
		const registeredAtMs = this.world.now();
		const record = { fingerprint, jwk, secret, registeredAtMs, revoked: false, ...contact };
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

	list(): KeyRecord[] {
		return [...this.records.values()];
	}

	/** Whether the email address or phone number belongs to another usable key. */
	isContactTaken({ email, phone }: Contact, fingerprint: string): boolean {
		return this.list().some(
			(record) =>
				!record.revoked &&
				record.fingerprint !== fingerprint &&
				((email !== undefined && isSameEmail(record.email, email)) ||
					(phone !== undefined && isSamePhone(record.phone, phone))),
		);
	}

	/** Returns the usable key that both the address and the number belong to; rejects with 404 if there is none. */
	getByContact(email: string, phone: string): KeyRecord {
		const record = this.list().find(
			(candidate) =>
				!candidate.revoked &&
				isSameEmail(candidate.email, email) &&
				isSamePhone(candidate.phone, phone),
		);
		if (record) return record;
		throw new ProblemError(
			404,
			'unknown-key',
			'No key belongs to this email address and phone number.',
		);
	}

	/** Mails a code that revokes the key. Mails the same code again while it is valid. */
	mailRevocationCode({ fingerprint, email }: KeyRecord): void {
		const now = this.world.now();
		const previousCode = this.pendingCode(fingerprint);
		const code = previousCode ?? this.world.random.digits(6);
		this.revocationCodes.set(fingerprint, { code, expiresAt: now + CODE_LIFETIME_MS });
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
		const pending = this.revocationCodes.get(fingerprint);
		return pending && pending.expiresAt > this.world.now() ? pending.code : undefined;
	}

	/** Returns all codes that were mailed and are still valid, by fingerprint. */
	pendingCodes(): Record<string, string> {
		const codesByFingerprint = [...this.revocationCodes.keys()].map((fingerprint) => [
			fingerprint,
			this.pendingCode(fingerprint),
		]);
		return Object.fromEntries(
			codesByFingerprint.filter(([, code]) => code !== undefined),
		) as Record<string, string>;
	}

	revoke(record: KeyRecord): void {
		record.revoked = true;
		this.revocationCodes.delete(record.fingerprint);
	}
}

function isSameEmail(email: string | undefined, otherEmail: string): boolean {
	return email?.toLowerCase() === otherEmail.toLowerCase();
}

function isSamePhone(phone: string | undefined, otherPhone: string): boolean {
	return phone !== undefined && normalizePhone(phone) === normalizePhone(otherPhone);
}

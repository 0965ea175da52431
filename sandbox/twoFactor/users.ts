import type { World } from '../service';
import { TwoFactorError } from './errors';
import { parsePhoneNumber } from './phoneNumbers';
import type { PhoneNumber } from './phoneNumbers';
import { deriveSecret } from './totp';

/** An enrolled user. */
export interface User {
	id: number;
	email: string;
	number: PhoneNumber;
	/** Whether a code of this user was ever checked successfully. */
	confirmed: boolean;
	/** The device with the app; missing for users without it. */
	device?: { id: number; os: string; since: number };
	/** Whether the user takes codes from the app: SMS and calls are then suppressed without `force`. */
	hasCodesInApp?: boolean;
	/** The secret of the authenticator app, in base32. */
	secret: string;
	enrolledAt: number;
	deletedAt?: number;
}

/** The second seeded user. */
const ines = { email: 'ines.moreau@example.com', countryCode: '1', phoneNumber: '2025550144' };

const FIRST_ID = 100001;
const DELETION_DELAY_MS = 24 * 3600 * 1000;

/** All enrolled users. A deleted user is rejected at once and removed a day later. */
export class Users {
	private readonly users = new Map<number, User>();
	private readonly usersByPhone = new Map<string, User>();
	private nextId = FIRST_ID;
	private nextDeviceId = 200001;

	constructor(private readonly world: World) {}

	/** Restores the demo people. All have the app; only the second takes codes from it. */
	reset(): void {
		this.users.clear();
		this.usersByPhone.clear();
		this.nextId = FIRST_ID;
		this.nextDeviceId = 200001;
		const { user, manager, finance, deputy } = this.world.demo;
		for (const person of [user, ines, manager, finance, deputy]) {
			const number = parsePhoneNumber(person.countryCode, person.phoneNumber)!;
			const { user: enrolled } = this.enroll(person.email, number);
			this.installApp(enrolled, 'android');
			if (person === ines) Object.assign(enrolled, { confirmed: true, hasCodesInApp: true });
		}
	}

	/** Enrolls a user. The same phone again gives the same user and reverts a deletion. */
	enroll(email: string, number: PhoneNumber): { user: User; isNew: boolean } {
		const existing = this.usersByPhone.get(number.phone);
		if (existing && this.find(existing.id)) {
			existing.email = email;
			delete existing.deletedAt;
			return { user: existing, isNew: false };
		}
		const user: User = {
			id: this.nextId++,
			email,
			number,
			confirmed: false,
			secret: deriveSecret(number.phone),
			enrolledAt: this.world.now(),
		};
		this.users.set(user.id, user);
		this.usersByPhone.set(number.phone, user);
		return { user, isNew: true };
	}

	/** Returns a user. A deleted user is returned until a day has passed. */
	find(id: number): User | undefined {
		const user = this.users.get(id);
		if (user?.deletedAt === undefined) return user;
		if (user.deletedAt + DELETION_DELAY_MS > this.world.now()) return user;
		this.users.delete(id);
		if (this.usersByPhone.get(user.number.phone) === user)
			this.usersByPhone.delete(user.number.phone);
		return undefined;
	}

	/** Returns a user like `find`, but fails with 60026 if there is none. */
	get(id: string): User {
		const user = this.find(Number(id));
		if (!user) throw new TwoFactorError('60026');
		return user;
	}

	/** Returns a user who is not deleted; otherwise fails with 60026. */
	getActive(id: string): User {
		const user = this.get(id);
		if (user.deletedAt !== undefined) throw new TwoFactorError('60026');
		return user;
	}

	findByPhone(phone: string): User | undefined {
		const user = this.usersByPhone.get(phone);
		return user && this.find(user.id);
	}

	list(): User[] {
		return [...this.users.keys()].flatMap((id) => this.find(id) ?? []);
	}

	delete(user: User): void {
		user.deletedAt ??= this.world.now();
	}

	installApp(user: User, os: string): void {
		user.device = { id: this.nextDeviceId++, os, since: this.world.now() };
	}
}

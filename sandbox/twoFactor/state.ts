import { indexById } from '../service';
import type { StoredRecords, World } from '../service';
import { Approvals } from './approvals';
import { Codes } from './codes';
import type { TwoFactorSettings } from './settings';
import { Statistics } from './statistics';
import { Users } from './users';
import { Verifications } from './verifications';

/** State of the two-factor service. */
export class TwoFactorState {
	readonly settings: TwoFactorSettings;
	readonly users: Users;
	readonly codes: Codes;
	readonly approvals: Approvals;
	readonly verifications: Verifications;
	readonly statistics: Statistics;

	constructor(readonly world: World) {
		this.settings = world.settings.twoFactor as unknown as TwoFactorSettings;
		this.users = new Users(world);
		this.codes = new Codes(world);
		this.approvals = new Approvals(world);
		this.verifications = new Verifications(world);
		this.statistics = new Statistics(world);
	}

	reset(): void {
		this.users.reset();
		this.codes.reset();
		this.approvals.reset();
		this.verifications.reset();
		this.statistics.reset();
	}

	storedRecords(): StoredRecords {
		const { users, codes, approvals, verifications } = this;
		return {
			users: indexById(users.list(), ({ id }) => id),
			...codes.storedRecords(),
			approvals: indexById(approvals.list(), ({ uuid }) => uuid),
			verifications: indexById(verifications.list(), ({ phone }) => phone),
		};
	}

	/** Returns a user's ID in the form that the settings choose. */
	showId(id: number): number | string {
		return this.settings.idForm === 'string' ? String(id) : id;
	}
}

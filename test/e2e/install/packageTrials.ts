import { decideApproval, createApprovals, createJobs } from '../../../lab/drive/approvalsAndJobs';
import { PasswordlessIdentityClient } from '../../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../../sandbox/twoFactor.fixture';
import { locateById } from '../../support/locators';
import type { InstallHost } from './host';

const EVENT = '1004';
const DATA_EVENT = 'evt_1004';

/** Host with the sandbox that the package talks to. */
type Host = Pick<InstallHost, 'sandbox'>;

/** Trial of a package: a read, and an event that its trigger waits for. */
export interface PackageTrial {
	credential: string;
	read: Record<string, unknown>;
	/** A field that the response of the read must have. */
	requiredField: string;
	trigger: Record<string, unknown>;
	/** The end of the path of the list that the trigger follows. */
	follows?: string;
	/** Creates a pending record. Returns the name that identifies it in the trigger's item. */
	begin(host: Host): Promise<string>;
	/** Completes the pending record. */
	finish(host: Host, name: string): Promise<unknown>;
}

const watchParameters = { acceptNewIds: true, acceptFromAnybody: true, options: { checkEvery: 1 } };
let personCount = 0;
/** Returns the email of a person who registers in `finish`. Nothing is created before that. */
const createEmail = async () => await Promise.resolve(`install${++personCount}@email.example`);
const names = { first: 'In', last: 'Stall' };

/** Trials by the name of the node. */
export const packageTrials: Record<string, PackageTrial> = {
	passwordlessIdentity: {
		credential: 'passwordlessIdentityApi',
		read: { resource: 'key', operation: 'check', fingerprint: 'A'.repeat(43) },
		requiredField: 'exists',
		trigger: watchParameters,
		begin: async ({ sandbox }) =>
			(await createJobs(new PasswordlessIdentityClient(sandbox), 1))[0]!,
		finish: async ({ sandbox }, job) =>
			await sandbox.control('passwordlessIdentity', 'approve', { job }),
	},
	twoFactor: {
		credential: 'twoFactorApi',
		read: { resource: 'application', operation: 'getDetails' },
		requiredField: 'app_id',
		trigger: watchParameters,
		begin: async ({ sandbox }) => (await createApprovals(new TwoFactorClient(sandbox), 1))[0]!,
		finish: async ({ sandbox }, uuid) => {
			decideApproval(sandbox, uuid, 'approved');
			await Promise.resolve();
		},
	},
	eventData: {
		credential: 'eventDataApi',
		read: { resource: 'event', operation: 'getMany', limit: 1 },
		requiredField: 'id',
		trigger: {
			triggerOn: ['attendeeCreated'],
			eventId: locateById(DATA_EVENT),
			options: { pollingInterval: 10 },
		},
		follows: '/attendees',
		begin: createEmail,
		finish: async ({ sandbox }, email) =>
			await sandbox.control('eventData', 'addAttendee', {
				...{ eventId: DATA_EVENT, firstName: names.first, lastName: names.last, email },
			}),
	},
	eventRegistration: {
		credential: 'eventRegistrationApi',
		read: { resource: 'event', operation: 'getMany', limit: 1 },
		requiredField: 'EventId',
		trigger: {
			triggerOn: ['registrationCreated'],
			eventId: locateById(EVENT),
			options: { pollingInterval: 10 },
		},
		follows: '/registrations',
		begin: createEmail,
		finish: async ({ sandbox }, Email) =>
			await sandbox.control('eventRegistration', 'register', {
				...{ eventId: EVENT, FirstName: names.first, LastName: names.last, Email },
			}),
	},
};

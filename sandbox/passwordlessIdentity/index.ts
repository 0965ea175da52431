import { indexById } from '../service';
import type { ServiceDefinition, World } from '../service';
import { passwordlessIdentityControls } from './controls';
import { jobHandlers } from './jobHandlers';
import { Jobs } from './jobs';
import { keyHandlers } from './keyHandlers';
import { KeyStore } from './keys';
import { loginHandlers } from './loginHandlers';
import { errorBody, respondToProblems } from './problems';
import { settingChoices, defaultSettings } from './settings';
import type { PasswordlessIdentitySettings } from './settings';

/** The passwordless identity issuer: keys, logins and scope jobs, with every signature checked. */
export function passwordlessIdentity(world: World): ServiceDefinition {
	const settings = world.settings.passwordlessIdentity as unknown as PasswordlessIdentitySettings;
	const keys = new KeyStore(world);
	const jobs = new Jobs(world, settings);
	const handlers = {
		...keyHandlers(world, keys),
		...loginHandlers(settings, keys),
		...jobHandlers(world, settings, keys, jobs),
	};
	return {
		name: 'passwordlessIdentity',
		credential: {
			privateKey: world.demo.application.privatePem,
			algorithm: 'EdDSA',
			// Empty: the node then uses the key's fingerprint.
			issuer: '',
		},
		handlers: Object.fromEntries(
			Object.entries(handlers).map(([name, handler]) => [name, respondToProblems(handler)]),
		),
		errorBody,
		settings: { ...defaultSettings },
		settingChoices: settingChoices,
		controls: passwordlessIdentityControls(world, keys, jobs),
		reset() {
			keys.reset();
			jobs.reset();
		},
		storedRecords: () => ({
			keys: indexById(keys.list(), ({ fingerprint }) => fingerprint),
			codes: keys.pendingCodes(),
			jobs: indexById(jobs.list(), ({ job }) => job),
		}),
	};
}

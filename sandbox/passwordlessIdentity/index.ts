import { byId } from '../service';
import type { ServiceDefinition, World } from '../service';
import { passwordlessIdentityControls } from './controls';
import { jobHandlers } from './jobHandlers';
import { Jobs } from './jobs';
import { keyHandlers } from './keyHandlers';
import { Keys } from './keys';
import { loginHandlers } from './loginHandlers';
import { errorBody, guarded } from './problems';
import { choices, defaults } from './settings';
import type { PasswordlessIdentitySettings } from './settings';

/** The passwordless identity issuer: keys, logins and scope jobs, with every signature checked. */
export function passwordlessIdentity(world: World): ServiceDefinition {
	const settings = world.settings.passwordlessIdentity as unknown as PasswordlessIdentitySettings;
	const keys = new Keys(world);
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
			Object.entries(handlers).map(([name, handler]) => [name, guarded(handler)]),
		),
		errorBody,
		settings: { ...defaults },
		settingChoices: choices,
		controls: passwordlessIdentityControls(world, keys, jobs),
		reset() {
			keys.reset();
			jobs.reset();
		},
		storedRecords: () => ({
			keys: byId(keys.all(), ({ fingerprint }) => fingerprint),
			codes: keys.pendingCodes(),
			jobs: byId(jobs.list(), ({ job }) => job),
		}),
	};
}

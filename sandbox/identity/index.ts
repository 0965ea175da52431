import { servicePaths, type ServiceDefinition, type World } from '../service';
import { contractFile } from './claims';
import { identityControls } from './controls';
import { jobHandlers } from './jobHandlers';
import { Jobs } from './jobs';
import { keyHandlers } from './keyHandlers';
import { Keys } from './keys';
import { loginHandlers } from './loginHandlers';
import { errorBody, guarded } from './problems';
import { choices, defaults, type IdentitySettings } from './settings';

/** The passwordless identity issuer: keys, logins and scope jobs, with every signature checked. */
export function identity(world: World): ServiceDefinition {
	const settings = world.settings.identity as unknown as IdentitySettings;
	const keys = new Keys(world);
	const jobs = new Jobs(world, settings);
	const handlers = {
		...keyHandlers(world, keys),
		...loginHandlers(settings, keys),
		...jobHandlers(world, settings, keys, jobs),
	};
	return {
		name: 'identity',
		path: servicePaths.identity,
		contract: contractFile,
		handlers: Object.fromEntries(
			Object.entries(handlers).map(([name, handler]) => [name, guarded(handler)]),
		),
		errorBody,
		settings: { ...defaults },
		settingChoices: choices,
		controls: identityControls(world, keys, jobs),
		reset() {
			keys.reset();
			jobs.reset();
		},
	};
}

import { resource } from '../../engine/operation';
import { complete } from './complete';

/** What can be done with logins. */
export const login = resource({
	name: 'Login',
	description: 'A login without a password',
	operations: { complete },
	initial: 'complete',
});

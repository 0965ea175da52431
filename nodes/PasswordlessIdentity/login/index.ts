import { resource } from '../../engine/operation';
import { complete } from './complete';

export const login = resource({
	name: 'Login',
	description: 'A login without a password',
	operations: { complete },
	defaultOperation: 'complete',
});

import { resource } from '../../engine/operation';
import { remove } from './delete';
import { enroll } from './enroll';
import { getStatus } from './getStatus';

export const user = resource({
	name: 'User',
	description: 'A person enrolled for two-factor authentication',
	operations: { delete: remove, enroll, getStatus },
	defaultOperation: 'enroll',
});

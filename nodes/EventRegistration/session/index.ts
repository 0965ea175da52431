import { resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './getMany';
import { search } from './search';

/** What can be done with sessions. */
export const session = resource({
	name: 'Session',
	description: 'A talk, workshop or other part of an event',
	operations: { get, getMany, search },
	initial: 'getMany',
});

import { resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './getMany';

/** What can be done with events. */
export const event = resource({
	name: 'Event',
	description: 'A conference or meeting',
	operations: { get, getMany },
	initial: 'getMany',
});

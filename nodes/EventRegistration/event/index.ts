import { resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './getMany';

export const event = resource({
	name: 'Event',
	description: 'A conference or meeting that people register for',
	operations: { get, getMany },
	defaultOperation: 'getMany',
});

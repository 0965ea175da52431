import { resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './getMany';
import { getSummary } from './getSummary';

export const event = resource({
	name: 'Event',
	description: 'A conference or meeting that people register for',
	operations: { get, getMany, getSummary },
	defaultOperation: 'getMany',
});

import { resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './getMany';
import { update } from './update';

export const attendee = resource({
	name: 'Attendee',
	description: 'A person who takes part in an event',
	operations: { get, getMany, update },
	defaultOperation: 'getMany',
});

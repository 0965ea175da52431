import { resource } from '../../engine/operation';
import { create } from './create';
import { get } from './get';
import { getMany } from './getMany';
import { update } from './update';

export const registration = resource({
	name: 'Registration',
	description: 'The booking of an attendee for an event',
	operations: { create, get, getMany, update },
	defaultOperation: 'getMany',
});

import { resource } from '../../engine/operation';
import { create } from './create';
import { get } from './get';
import { getMany } from './getMany';
import { update } from './update';

export const session = resource({
	name: 'Session',
	description: 'A talk or workshop of an event',
	operations: { create, get, getMany, update },
	defaultOperation: 'getMany',
});

import { resource } from '../../engine/operation';
import { create } from './create';
import { remove } from './delete';
import { get } from './get';
import { getMany } from './getMany';
import { update } from './update';

export const contactList = resource({
	name: 'Contact List',
	description: 'A list that contacts are kept in, such as a newsletter list',
	operations: { create, delete: remove, get, getMany, update },
	defaultOperation: 'getMany',
});

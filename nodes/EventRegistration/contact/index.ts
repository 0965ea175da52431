import { resource } from '../../engine/operation';
import { add } from './add';
import { createOrUpdate } from './createOrUpdate';
import { get } from './get';
import { getForm } from './getForm';
import { getMany } from './getMany';
import { remove } from './remove';
import { search } from './search';
import { sync } from './sync';
import { update } from './update';

export const contact = resource({
	name: 'Contact',
	description: 'A person in a contact list',
	operations: { add, createOrUpdate, get, getForm, getMany, remove, search, sync, update },
	defaultOperation: 'getMany',
});

import { resource } from '../../engine/operation';
import { create } from './create';
import { createOrUpdate } from './createOrUpdate';
import { get } from './get';
import { getForm } from './getForm';
import { getMany } from './getMany';
import { getOptions } from './getOptions';
import { replaceOptions } from './replaceOptions';
import { search } from './search';
import { update } from './update';

export const registration = resource({
	name: 'Registration',
	description: 'A person who is registered for an event',
	operations: {
		create,
		createOrUpdate,
		get,
		getForm,
		getMany,
		getOptions,
		replaceOptions,
		search,
		update,
	},
	defaultOperation: 'getMany',
});

import { resource } from '../../engine/operation';
import { getMany } from './getMany';
import { getOptions } from './getOptions';

export const optionGroup = resource({
	name: 'Option Group',
	description: 'What people can add to a registration: tickets, workshops, meals',
	operations: { getMany, getOptions },
	defaultOperation: 'getMany',
});

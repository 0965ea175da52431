import { resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './getMany';
import { search } from './search';

export const session = resource({
	name: 'Session',
	description: 'A talk, workshop or other part of an event',
	operations: { get, getMany, search },
	defaultOperation: 'getMany',
});

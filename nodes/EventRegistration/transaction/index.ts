import { resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './getMany';
import { getManyForEvent } from './getManyForEvent';

export const transaction = resource({
	name: 'Transaction',
	description: 'A payment or a refund',
	operations: { get, getMany, getManyForEvent },
	defaultOperation: 'getMany',
});

import { resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './getMany';
import { getManyForEvent } from './getManyForEvent';

/** What can be done with transactions. */
export const transaction = resource({
	name: 'Transaction',
	description: 'A payment or a refund',
	operations: { get, getMany, getManyForEvent },
	initial: 'getMany',
});

import { resource } from '../../engine/operation';
import { get } from './get';
import { getItems } from './getItems';
import { getItemsForRegistration } from './getItemsForRegistration';
import { getManyForEvent } from './getManyForEvent';

export const order = resource({
	name: 'Order',
	description: 'What a registration has ordered',
	operations: { get, getItems, getItemsForRegistration, getManyForEvent },
	defaultOperation: 'getManyForEvent',
});

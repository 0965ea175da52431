import { operation } from '../../engine/operation';
import { changedAfter } from '../fields';
import { lists } from '../lists';
import { eventShape } from '../records';

export const getMany = operation({
	name: 'Get Many',
	action: 'Get many events',
	description: 'List the events your API key can access',
	request: 'GET /api/v1/events',
	fields: {
		filters: changedAfter('updatedAfter', 'Only events changed after this time'),
	},
	idempotent: true,
	paging: lists.events.paging,
	...eventShape,
});

import type { INodeProperties } from 'n8n-workflow';

import { toProperty } from '../../engine/panel/properties';
import { followOptionsProperty, triggerOn } from '../../engine/trigger/lists/properties';
import { eventId } from '../fields';
import { changeKinds } from './changeKinds';

export const eventDataTriggerProperties: INodeProperties[] = [
	triggerOn(changeKinds.options, 'attendeeCreated'),
	{
		displayName: 'Events',
		name: 'where',
		type: 'options',
		noDataExpression: true,
		default: 'oneEvent',
		options: [
			{
				name: 'All Events',
				value: 'allEvents',
				description: 'Every event of the account, including new ones',
			},
			{ name: 'One Event', value: 'oneEvent' },
		],
	},
	{
		...toProperty(eventId),
		displayOptions: { show: { where: ['oneEvent'] } },
	},
	followOptionsProperty(),
];

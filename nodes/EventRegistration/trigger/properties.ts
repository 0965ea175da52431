import type { INodeProperties } from 'n8n-workflow';

import { simplifyField } from '../../engine/panel/output';
import { toProperty } from '../../engine/panel/properties';
import { followOptions, overlap, triggerOn } from '../../engine/trigger/lists/properties';
import { contactListId, eventId, registrationTypeId, sessionId } from '../fields';
import { kinds, KINDS_OF_CONTACTS, KINDS_OF_EVENTS, KINDS_OF_REGISTRATIONS } from './kinds';

const shown = (property: INodeProperties, show: Record<string, string[]>): INodeProperties => ({
	...property,
	displayOptions: { show },
});

/** The panel of the trigger. */
export const triggerProperties: INodeProperties[] = [
	triggerOn(kinds, 'registrationCreated'),
	shown(
		{
			displayName: 'Events',
			name: 'where',
			type: 'options',
			noDataExpression: true,
			default: 'oneEvent',
			options: [
				{
					name: 'All Current Events',
					value: 'allCurrentEvents',
					description: 'Every event until 30 days after it ends, including new ones',
				},
				{ name: 'One Event', value: 'oneEvent' },
			],
		},
		{ triggerOn: KINDS_OF_EVENTS },
	),
	shown(toProperty(eventId), { triggerOn: KINDS_OF_EVENTS, where: ['oneEvent'] }),
	shown(toProperty(sessionId), { triggerOn: ['checkedInToSession'], where: ['oneEvent'] }),
	shown(
		{
			...toProperty(registrationTypeId),
			displayName: 'Registration Type',
			required: false,
			description: 'Only registrations of this type start the workflow. Leave empty for all types.',
		},
		{ triggerOn: KINDS_OF_REGISTRATIONS, where: ['oneEvent'] },
	),
	shown(toProperty(contactListId), { triggerOn: KINDS_OF_CONTACTS }),
	toProperty(simplifyField),
	followOptions(overlap),
];

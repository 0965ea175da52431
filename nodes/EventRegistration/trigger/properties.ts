import type { INodeProperties } from 'n8n-workflow';

import { simplifyField } from '../../engine/panel/output';
import { toProperty } from '../../engine/panel/properties';
import { followOptionsProperty, overlap, triggerOn } from '../../engine/trigger/lists/properties';
import { contactListId, eventId, registrationTypeId, sessionId } from '../fields';
import { EMPTY_TYPE_ROWS, typeModes } from '../optionalTypes';
import { changeKinds, LISTS_IN_EVENT } from './changeKinds';

const EVENT_KINDS = changeKinds.ofLists('events', ...LISTS_IN_EVENT);

const withDisplayOptions = (
	property: INodeProperties,
	show: Record<string, string[]>,
): INodeProperties => ({
	...property,
	displayOptions: { show },
});

export const eventRegistrationTriggerProperties: INodeProperties[] = [
	triggerOn(changeKinds.options, 'registrationCreated'),
	withDisplayOptions(
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
		{ triggerOn: EVENT_KINDS },
	),
	withDisplayOptions(toProperty(eventId), { triggerOn: EVENT_KINDS, where: ['oneEvent'] }),
	withDisplayOptions(toProperty(sessionId), {
		triggerOn: changeKinds.ofLists('sessionAttendance'),
		where: ['oneEvent'],
	}),
	withDisplayOptions(
		{
			...toProperty(registrationTypeId),
			displayName: 'Registration Type',
			required: false,
			description: 'Only registrations of this type start the workflow',
			modes: typeModes(EMPTY_TYPE_ROWS.asFilter),
		},
		{ triggerOn: changeKinds.ofLists('registrations'), where: ['oneEvent'] },
	),
	withDisplayOptions(toProperty(contactListId), { triggerOn: changeKinds.ofLists('contacts') }),
	toProperty(simplifyField),
	followOptionsProperty(overlap),
];

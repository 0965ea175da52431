import type { INodeProperties } from 'n8n-workflow';

import { triggerProperties } from '../engine/trigger/properties';
import { commonOutcomes } from '../engine/trigger/watchable';
import type { Watchable } from '../engine/trigger/watchable';
import { question } from './approvalRequest/decision';
import { service } from './service';

const noun = 'approval request';

/** Approval requests: each ends with the user's decision, or without one. */
export const approvalRequests: Watchable = {
	service,
	noun,
	idName: 'uuid',
	request: question.request,
	read: question.read,
	outcomes: [
		{ name: 'Approved', value: 'approved', description: 'The user approved it' },
		{ name: 'Denied', value: 'denied', description: 'The user denied it' },
		{ name: 'Expired', value: 'expired', description: 'The user did not decide in time' },
		...commonOutcomes(noun, service.name),
	],
};

const uuids: INodeProperties = {
	displayName: 'Approval Request IDs',
	name: 'ids',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. 550e8400-e29b-41d4-a716-446655440000',
	description:
		'The approval requests to watch, besides those that are handed in: one ID, or several with commas or line breaks in between. An expression can give a list.',
};

/** The panel of the trigger. */
export const approvalRequestProperties = triggerProperties(approvalRequests, uuids);

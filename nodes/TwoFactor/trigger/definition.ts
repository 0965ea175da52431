import type { INodeProperties } from 'n8n-workflow';

import { commonOutcomes, idTriggerFields } from '../../engine/trigger/ids/idTriggerDefinition';
import type { IdTriggerDefinition } from '../../engine/trigger/ids/idTriggerDefinition';
import { idTriggerProperties } from '../../engine/trigger/ids/properties';
import {
	approvalShape,
	approvalOutputSchema,
	waitOutputSchema,
	withNames,
} from '../approvalRequest/approval';
import { answerOutputSchema, readApprovalAnswer } from '../approvalRequest/approvalAnswer';
import { approvalPoll } from '../approvalRequest/decision';
import { applicationPauseMs, findMismatch } from '../approvalRequest/mismatch';
import { APPROVAL_REQUEST_IDS_FIELD } from '../approvalRequest/sending';
import { readUserId } from '../fields';
import { peopleOf } from '../people';
import { asObject } from '../responses';
import { service } from '../service';

const noun = 'approval request';

/** Approval requests for the trigger. Each ends with the user's decision, or without one. */
export const definition: IdTriggerDefinition = {
	service,
	noun,
	createdBy: 'Approval Request: Create',
	shape: approvalShape({
		...approvalOutputSchema,
		...answerOutputSchema,
		...idTriggerFields,
		...waitOutputSchema,
	}),
	request: approvalPoll.request,
	interpret: async (response, { watched: { id, subject }, client }) => {
		const polled = approvalPoll.interpret(response, id, subject);
		if (polled.kind !== 'finished') return polled;
		const people = peopleOf(client.connection);
		const result = { ...polled, result: withNames(asObject(polled.result), people) };
		if (result.outcome !== 'approved') return result;
		// The trigger does not know the question that was sent.
		const message = await findMismatch(result.result, undefined, client);
		if (message !== undefined) return { kind: 'unrecognized', message };
		// The approval counts once its application is known. Until then, all polls wait for as long as the service asks.
		const retryAfterMs = applicationPauseMs(client);
		return retryAfterMs > 0 ? { kind: 'rateLimited', retryAfterMs } : result;
	},
	endedAt: (result) => Date.parse(readApprovalAnswer(result).respondedAt ?? ''),
	readSubject: readUserId,
	outcomes: [
		{
			name: 'Approved',
			value: 'approved',
			action: 'On approval request approved',
			description: 'The user approved it',
		},
		{
			name: 'Denied',
			value: 'denied',
			action: 'On approval request denied',
			description: 'The user denied it',
		},
		{
			name: 'Expired',
			value: 'expired',
			action: 'On approval request expired',
			description: 'The user did not decide in time',
		},
		...commonOutcomes(noun),
	],
};

const idsProperty: INodeProperties = {
	displayName: APPROVAL_REQUEST_IDS_FIELD,
	name: 'ids',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. 550e8400-e29b-41d4-a716-446655440000',
	description:
		'IDs to watch besides those that arrive by webhook. Create returns them. Separate several with commas or line breaks; an expression can give a list.',
};

/** n8n expression: whether any ID is entered. */
export const hasEnteredIdsExpression = '`${ $parameter["ids"] ?? "" }`.trim() !== ""';

export const approvalRequestProperties = idTriggerProperties(definition, idsProperty);

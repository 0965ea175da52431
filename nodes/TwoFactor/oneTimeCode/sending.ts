import type { IDataObject } from 'n8n-workflow';

import { field } from '../../engine/field';
import type { Answer } from '../../engine/http/types';
import { asObject, isTrue, rest } from '../answers';
import { action, locale } from '../fields';

/** What can be set when a code is sent. */
export const sendOptions = {
	action,
	actionMessage: field({
		displayName: 'Action Message',
		name: 'actionMessage',
		type: 'string',
		default: '',
		placeholder: 'e.g. Log in to the speaker portal',
		description: 'The words that tell the user what the code is for',
		target: { in: 'query', as: 'action_message' },
	}),
	force: field({
		displayName: 'Force',
		name: 'force',
		type: 'boolean',
		default: true,
		description:
			'Whether to send the code even though the user has the app. Without it the service holds the message back from such a user, who finds a code in the app instead.',
		target: { in: 'query' },
	}),
	locale: locale('query'),
};

/** Says whether a message went out: the service calls it a success when it held the message back. */
export function sendOutput(
	{ body }: Answer,
	{ twofactorId }: { twofactorId: string },
): IDataObject {
	const held = isTrue(asObject(body).ignored);
	return {
		twofactor_id: twofactorId,
		sent: !held,
		...(held ? { reason: 'userHasApp' } : {}),
		...rest(body, 'ignored'),
	};
}

/** What a sending operation yields. */
export const sendYields = {
	twofactor_id: 'string',
	sent: 'boolean',
	reason: 'string',
	message: 'string',
	cellphone: 'string',
	device: 'string',
} as const;

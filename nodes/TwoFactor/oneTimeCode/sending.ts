import type { IDataObject } from 'n8n-workflow';

import { field } from '../../engine/field';
import type { ServiceResponse } from '../../engine/http/types';
import { escapeDirectionControls } from '../../engine/review/displayText';
import { normalizeId } from '../../engine/values/convert';
import { readText } from '../../engine/values/texts';
import { action, locale, twofactorId } from '../fields';
import { asObject, isTrue, otherFields } from '../responses';

export const codeReceiver = {
	...twofactorId,
	description:
		'The twofactor_id that User: Enroll returned. To text a code to any phone number, without enrolling, use Phone Verification: Start instead.',
};

export const codeSendingOptions = {
	action,
	actionMessage: field({
		displayName: 'Action Message',
		name: 'actionMessage',
		type: 'string',
		default: '',
		placeholder: 'e.g. Log in to the speaker portal',
		description: 'Tells the user what the code is for',
		read: (raw, _, label) => escapeDirectionControls(readText(raw, label) ?? ''),
		target: { in: 'query', as: 'action_message' },
	}),
	force: field({
		displayName: 'Send Even if the User Has the App',
		name: 'force',
		type: 'boolean',
		default: false,
		description:
			"Whether to send the code even if the user can get one in the app. If off, 'sent' is false for such a user.",
		target: { in: 'query' },
	}),
	locale: locale('query'),
};

/**
 * Converts the response to output. `sent` is false if the service ignored the request because the user has the app. The
 * service reports `success` even then.
 */
export function sendOutput(
	{ body }: ServiceResponse,
	{ twofactorId }: { twofactorId: string },
): IDataObject {
	const isIgnored = isTrue(asObject(body).ignored);
	return {
		twofactor_id: normalizeId(twofactorId),
		sent: !isIgnored,
		...(isIgnored ? { reason: 'userHasApp' } : {}),
		...otherFields(body, 'ignored'),
	};
}

/** Output fields and their JSON types, for n8n's preview. */
export const sendOutputSchema = {
	twofactor_id: 'integer',
	sent: 'boolean',
	reason: 'string',
	message: 'string',
	cellphone: 'string',
	device: 'string',
} as const;

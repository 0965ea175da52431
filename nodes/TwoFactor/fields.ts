import { BadInput } from '../engine/errors';
import { field } from '../engine/field';
import type { Read } from '../engine/field';
import { pathText } from '../engine/http/path';

const LONGEST_ID = 128;

/** An id that goes into a path: a text, or a number that has lost no digits. */
const identifier: Read<string> = (given, _, label) => {
	const unsafe = typeof given === 'number' && !Number.isSafeInteger(given);
	if (unsafe || `${given}`.length > LONGEST_ID) {
		throw new BadInput(
			`${label} is not valid`,
			`Check ${label}: it has too many digits. A long ID must come as a text, since a number loses its last digits.`,
		);
	}
	return pathText(label, given);
};

/** The user whom an operation is about. */
export const twofactorId = field({
	displayName: 'User ID',
	name: 'twofactorId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 100001',
	description: 'The ID of the enrolled user, as Enroll put it out in twofactor_id',
	read: identifier,
	target: { in: 'path', as: 'twofactor_id' },
});

/** The approval request that an operation is about. */
export const approvalUuid = field({
	displayName: 'Approval Request ID',
	name: 'uuid',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 6f1c3f6e-9a55-4a0e-8f0b-2b6c4a7f7d10',
	description: 'The ID of the approval request, as Create put it out in uuid',
	read: identifier,
	target: { in: 'path' },
});

/** What a code is for. */
export const action = field({
	displayName: 'Action',
	name: 'action',
	type: 'string',
	default: '',
	placeholder: 'e.g. login',
	description:
		'What the code is for, in a word of yours. A code that was sent for an action is valid for that action only, so Send and Verify must name the same one.',
	target: { in: 'query' },
});

/** The language of a message. */
export const locale = (place: 'query' | 'body') =>
	field({
		displayName: 'Locale',
		name: 'locale',
		type: 'string',
		default: '',
		placeholder: 'e.g. de',
		description: 'The language of the message, by its code',
		target: { in: place },
	});

/** The address of the person on whose behalf a request is made. */
export const userIp = (place: 'query' | 'body') =>
	field({
		displayName: 'User IP',
		name: 'userIp',
		type: 'string',
		default: '',
		placeholder: 'e.g. 203.0.113.7',
		description:
			"The IP address of the person on whose behalf this is done, for the service's records",
		target: { in: place, as: 'user_ip' },
	});

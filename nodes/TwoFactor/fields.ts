import { field } from '../engine/field';
import { idReader, readId } from '../engine/http/ids';
import type { IdFormat } from '../engine/http/ids';

const PHONE = /^(\+|\(|0)?[\d\s()./-]{6,}$/;
const FROM_ENROLL = 'Use the twofactor_id that User: Enroll returned.';

const USER_ID: IdFormat = {
	pattern: /^\d{1,20}$/,
	description: 'a number',
	advice: (text) =>
		PHONE.test(text)
			? `This looks like a phone number. ${FROM_ENROLL} To send a code to a phone number, use Phone Verification: Start.`
			: FROM_ENROLL,
};
const APPROVAL_ID: IdFormat = {
	pattern: /^[\w-]{1,128}$/,
	description: 'up to 128 letters, digits, dashes and underscores',
	advice: () => 'Use the id that Approval Request: Create returned.',
};

/** Members of a field for one user: chosen by name from the credential's list, or by User ID. */
export const userLocator = {
	type: 'resourceLocator' as const,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list' as const,
			placeholder: 'Choose a person…',
			typeOptions: { searchListMethod: 'searchPeople', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string' as const, placeholder: 'e.g. 100001' },
	],
};
const FROM_LIST = "The list has the people in 'People' of the credential.";

export const twofactorId = field({
	displayName: 'User ID',
	name: 'twofactorId',
	...userLocator,
	required: true,
	description: `The twofactor_id that User: Enroll returned. ${FROM_LIST}`,
	builderHint: {
		propertyHint:
			"The number that User: Enroll returned as twofactor_id, stored with the person (the field twofactor_id of its output), as { __rl: true, mode: 'id', value: '…' }. Never a phone number, an email address or a name.",
	},
	read: idReader(USER_ID),
	target: { in: 'path', as: 'twofactor_id' },
});

export const expectedUser = field({
	displayName: 'Expected User',
	name: 'expectedUser',
	...userLocator,
	description:
		'The person who must decide. The decision of anyone else is not accepted. Remove this option to accept any.',
	rejectBlank: true,
	read: idReader(USER_ID),
});

/** Reads the optional ID of the user who is expected to decide, as callers of the trigger's webhook submit it. */
export const readUserId = (raw: unknown): string | undefined =>
	raw === undefined ? undefined : readId(USER_ID, 'The subject', raw);

export const approvalUuid = field({
	displayName: 'Approval Request ID',
	name: 'uuid',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 6f1c3f6e-9a55-4a0e-8f0b-2b6c4a7f7d10',
	description: 'The ID returned by Create',
	builderHint: {
		propertyHint:
			'The uuid that Approval Request: Create returned (the field uuid of its output). To ask and wait in one step, use the operation sendAndWait instead.',
	},
	read: idReader(APPROVAL_ID),
	target: { in: 'path' },
});

export const action = field({
	displayName: 'Action',
	name: 'action',
	type: 'string',
	default: '',
	placeholder: 'e.g. login',
	description: 'A word for what the code is for, e.g. login. Use the same one in Send and Verify.',
	target: { in: 'query' },
});

/** Common languages of two-factor services. An expression can set any other code. */
const LANGUAGES: Record<string, string> = {
	ar: 'Arabic',
	ca: 'Catalan',
	'zh-CN': 'Chinese (Simplified)',
	'zh-HK': 'Chinese (Hong Kong)',
	zh: 'Chinese (Traditional)',
	hr: 'Croatian',
	cs: 'Czech',
	da: 'Danish',
	nl: 'Dutch',
	en: 'English',
	'en-GB': 'English (UK)',
	fi: 'Finnish',
	fr: 'French',
	de: 'German',
	el: 'Greek',
	he: 'Hebrew',
	hi: 'Hindi',
	hu: 'Hungarian',
	id: 'Indonesian',
	it: 'Italian',
	ja: 'Japanese',
	ko: 'Korean',
	ms: 'Malay',
	nb: 'Norwegian',
	pl: 'Polish',
	pt: 'Portuguese',
	'pt-BR': 'Portuguese (Brazil)',
	ro: 'Romanian',
	ru: 'Russian',
	sk: 'Slovak',
	es: 'Spanish',
	sv: 'Swedish',
	tl: 'Tagalog',
	th: 'Thai',
	tr: 'Turkish',
	uk: 'Ukrainian',
	vi: 'Vietnamese',
};

export const locale = (place: 'query' | 'body') =>
	field({
		displayName: 'Language',
		name: 'locale',
		type: 'options',
		default: 'en',
		options: Object.entries(LANGUAGES)
			.map(([value, name]) => ({ name, value }))
			.sort((a, b) => a.name.localeCompare(b.name, 'en')),
		description:
			'Language of the message. Your service may not speak all of them. For another one, use an expression with its code, e.g. bg.',
		target: { in: place },
	});

export const userIp = (place: 'query' | 'body') =>
	field({
		displayName: 'User IP',
		name: 'userIp',
		type: 'string',
		default: '',
		placeholder: 'e.g. 203.0.113.7',
		description: "IP address of the end user, for the service's logs",
		target: { in: place, as: 'user_ip' },
	});

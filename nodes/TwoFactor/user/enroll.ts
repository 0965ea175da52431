import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import { field } from '../../engine/field';
import type { ServiceResponse } from '../../engine/http/types';
import { operation } from '../../engine/operation';
import { booleanReader } from '../../engine/values/convert';
import { readTrimmedText } from '../../engine/values/texts';
import { formatE164, phoneFields } from '../phoneFields';
import { asObject, findUserId, otherFields } from '../responses';

const email = field({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. ada@example.com',
	read: readTrimmedText,
	target: { in: 'body', as: 'user.email' },
});
const sendInstallLink = field({
	displayName: 'Send Install Link',
	name: 'sendInstallLink',
	type: 'boolean',
	default: true,
	description: 'Whether the service texts the user a link to the app',
	read: booleanReader('Send Install Link'),
	target: { in: 'body', as: 'send_install_link_via_sms' },
});

/** Enrolls a user. The service returns the same user for the same phone. */
export const enroll = operation({
	name: 'Enroll',
	action: 'Enroll a user',
	description: 'Enroll a user and get their ID. The same phone returns the same ID.',
	request: 'POST /protected/json/users/new',
	fields: {
		email,
		...phoneFields('body', { number: 'user.cellphone', country: 'user.country_code' }),
	},
	options: { sendInstallLink },
	effect: 'the user was enrolled',
	output: (response, values) => {
		const id = findUserId(response.body);
		if (id === undefined) {
			throw new ServiceFailure('The service enrolled the user but returned no ID', {
				advice:
					'Enroll the user again: the same phone returns the same ID. If this keeps happening, ask the provider.',
			});
		}
		return {
			twofactor_id: id,
			email: values.email,
			phone: formatE164(values),
			...readIsNew(response),
			...otherFields(response.body, 'user', 'twofactor_id', 'email', 'phone'),
		};
	},
	outputSchema: {
		twofactor_id: 'integer',
		email: 'string',
		phone: 'string',
		isNew: 'boolean',
		message: 'string',
	},
});

/**
 * Returns `isNew` if the response reports it. The message "created" does not count: most services send it for known users,
 * too.
 */
function readIsNew({ status, body }: ServiceResponse): IDataObject {
	const fields = asObject(body);
	const user = asObject(fields.user);
	const flag = [user.is_new, user.new, fields.is_new, fields.new, fields.created].find(
		(value) => typeof value === 'boolean',
	);
	if (flag !== undefined) return { isNew: flag };
	if (status === 201) return { isNew: true };
	return /\balready\b|\bexist/i.test(`${fields.message}`) ? { isNew: false } : {};
}

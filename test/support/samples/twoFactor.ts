import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server';
import type { House } from '../house';
import { ask } from './sample';
import type { Sample } from './sample';

/** The seeded user without the app, and the number of somebody who is not enrolled. */
const USER = '100001';
const NEW_PHONE = '+12025550177';
const user = { twofactorId: USER };

const sample = (
	resource: string,
	operation: string,
	shows: Sample['shows'],
	parameters: Sample['parameters'] = () => ({}),
	more: Partial<Sample> = {},
): Sample => ({ node: 'twoFactor', resource, operation, shows, parameters, ...more });

/** The last code that reached the user's phone. */
function lastCode({ sandbox }: House): string {
	const { phone } = sandbox.demo.user;
	const messages = sandbox.control('twoFactor', 'messages', { phone }) as Array<{ code: string }>;
	return messages.at(-1)!.code;
}

/** Asks the user something, and gives what the node needs to look after it. */
async function asked(house: House, decision?: 'approved'): Promise<INodeParameters> {
	const { approval_request } = await ask<{ approval_request: { uuid: string } }>(
		house,
		'twoFactor',
		`/onetouch/json/users/${USER}/approval_requests`,
		{ message: 'May the badge be printed?' },
	);
	const { uuid } = approval_request;
	if (decision) house.sandbox.control('twoFactor', 'decide', { uuid, decision });
	return { uuid };
}

/** Approves whatever the user is asked. */
function approveAll(sandbox: Sandbox): void {
	const open = sandbox.control('twoFactor', 'approvals', { status: 'pending' });
	for (const { uuid } of open as Array<{ uuid: string }>) {
		sandbox.control('twoFactor', 'decide', { uuid, decision: 'approved' });
	}
}

/** Every operation of the two-factor node, asking and waiting at once among them. */
export const twoFactorSamples: Sample[] = [
	sample('application', 'getDetails', 'app_id'),
	sample('application', 'getStatistics', 'month', () => ({}), { varies: ['api_calls_count'] }),
	sample('approvalRequest', 'create', 'uuid', () => ({ ...user, message: 'May it open?' })),
	sample(
		'approvalRequest',
		'create',
		{ outcome: 'approved' },
		() => ({
			...user,
			message: 'May it open?',
			wait: true,
			waitLimit: 8,
			options: { checkEvery: 1 },
		}),
		{ variant: 'and wait', waits: true, meanwhile: approveAll },
	),
	sample('approvalRequest', 'get', { status: 'pending' }, async (house) => await asked(house)),
	sample(
		'approvalRequest',
		'waitForDecision',
		{ outcome: 'approved' },
		async (house) => ({
			...(await asked(house, 'approved')),
			waitLimit: 8,
			options: { checkEvery: 1 },
		}),
		{ waits: true },
	),
	sample('oneTimeCode', 'sendByCall', { sent: true }, () => user),
	sample('oneTimeCode', 'sendBySms', { sent: true }, () => user),
	sample('oneTimeCode', 'verify', { valid: true }, async (house) => {
		await ask(house, 'twoFactor', `/protected/json/sms/${USER}`);
		return { ...user, code: lastCode(house) };
	}),
	sample('phoneVerification', 'check', { valid: true }, async (house) => {
		const { countryCode, phoneNumber, phone } = house.sandbox.demo.user;
		await ask(house, 'twoFactor', '/protected/json/phones/verification/start', {
			via: 'sms',
			country_code: countryCode,
			phone_number: phoneNumber,
		});
		return { phoneNumber: phone, code: lastCode(house) };
	}),
	sample('phoneVerification', 'start', { sent: true }, () => ({ phoneNumber: NEW_PHONE })),
	sample('user', 'delete', { deleted: true }, () => user),
	sample('user', 'enroll', 'twofactor_id', () => ({
		email: 'ada@example.com',
		phoneNumber: NEW_PHONE,
	})),
	sample('user', 'getStatus', 'confirmed', () => user),
];

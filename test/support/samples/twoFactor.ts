import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server';
import type { Rig } from '../sandboxRig';
import { sendDirectly, NO_CHANGES, samplesOf } from './sample';
import type { Changes, Sample } from './sample';

/** The seeded user without the app, and the number of a person who is not enrolled. */
const USER = '100001';
const NEW_PHONE = '+12025550177';
const QUESTION = 'May it open?';
const userParameters = { twofactorId: USER };

const sample = samplesOf('twoFactor');

const readOnly = { changes: NO_CHANGES, missingRecord: 'takes no id' as const };
const unknownUser = { parameters: { twofactorId: '999999' }, expected: /\(60026\)/ };
const unknownApproval = {
	parameters: { uuid: '6f1c3f6e-9a55-4a0e-8f0b-2b6c4a7f7d10' },
	expected: /\(60049\)/,
};

/** One message that is delivered. */
const deliveredMessage = (kind: 'sms' | 'call', phone: string): unknown[] => [
	expect.objectContaining({ kind, to: { phone } }),
];

/** Changes when a code is sent to the user. */
const codeSentChanges =
	(kind: 'sms' | 'call') =>
	({ sandbox }: Rig): Changes => ({
		added: {
			sentCodes: [{ code: expect.stringMatching(/^\d{7}$/) }],
			phone: deliveredMessage(kind, sandbox.demo.user.phone),
		},
	});

/** Changes when an approval request is sent to the user. */
const approvalSentChanges =
	(status: 'pending' | 'approved') =>
	({ sandbox }: Rig): Changes => {
		const { phone } = sandbox.demo.user;
		const newApproval = {
			userId: Number(USER),
			status,
			input: expect.objectContaining({ message: QUESTION }),
		};
		return {
			added: {
				approvals: [expect.objectContaining(newApproval)],
				phone: [
					expect.objectContaining({ kind: 'approval', to: { phone }, message: QUESTION, status }),
				],
			},
		};
	};

/** Returns the last code that was delivered to the user's phone. */
function readLastCode({ sandbox }: Rig): string {
	const { phone } = sandbox.demo.user;
	const messages = sandbox.control('twoFactor', 'messages', { phone }) as Array<{ code: string }>;
	return messages.at(-1)!.code;
}

/** Creates an approval request and returns the parameters that identify it. */
async function createApproval(rig: Rig, decision?: 'approved'): Promise<INodeParameters> {
	const { approval_request } = await sendDirectly<{ approval_request: { uuid: string } }>(
		rig,
		'twoFactor',
		`/onetouch/json/users/${USER}/approval_requests`,
		{ message: 'May the badge be printed?' },
	);
	const { uuid } = approval_request;
	if (decision) rig.sandbox.control('twoFactor', 'decide', { uuid, decision });
	return { uuid };
}

/** Approves all pending requests. */
function approveAll(sandbox: Sandbox): void {
	const pendingApprovals = sandbox.control('twoFactor', 'approvals', { status: 'pending' });
	for (const { uuid } of pendingApprovals as Array<{ uuid: string }>) {
		sandbox.control('twoFactor', 'decide', { uuid, decision: 'approved' });
	}
}

/** A sample for every operation of the node, including ask-and-wait. */
export const twoFactorSamples: Sample[] = [
	sample('application', 'getDetails', 'app_id', () => ({}), readOnly),
	sample('application', 'getStatistics', 'month', () => ({}), {
		...readOnly,
		varyingFields: ['api_calls_count'],
	}),
	sample('approvalRequest', 'create', 'id', () => ({ ...userParameters, message: QUESTION }), {
		changes: approvalSentChanges('pending'),
		missingRecord: unknownUser,
		effect: 'the approval request went out',
	}),
	sample(
		'approvalRequest',
		'create',
		{ outcome: 'approved' },
		() => ({
			...userParameters,
			message: QUESTION,
			wait: true,
			waitLimit: 8,
			options: { checkEvery: 1 },
		}),
		{
			variant: 'and wait',
			waitsForPerson: true,
			actMeanwhile: approveAll,
			changes: approvalSentChanges('approved'),
			missingRecord: unknownUser,
			effect: 'the approval request went out',
		},
	),
	sample(
		'approvalRequest',
		'get',
		{ outcome: 'pending' },
		async (rig) => await createApproval(rig),
		{
			changes: NO_CHANGES,
			missingRecord: unknownApproval,
		},
	),
	sample(
		'approvalRequest',
		'sendAndWait',
		{ outcome: 'approved', approved: true },
		() => ({
			...userParameters,
			message: QUESTION,
			options: {
				limitWaitTime: {
					values: { limitType: 'afterTimeInterval', resumeAmount: 0.15, resumeUnit: 'minutes' },
				},
			},
		}),
		{
			waitsForPerson: true,
			actMeanwhile: approveAll,
			changes: approvalSentChanges('approved'),
			missingRecord: unknownUser,
			effect: 'the approval request went out',
		},
	),
	sample(
		'approvalRequest',
		'waitForDecision',
		{ outcome: 'approved' },
		async (rig) => ({
			...(await createApproval(rig, 'approved')),
			waitLimit: 8,
			options: { checkEvery: 1 },
		}),
		{
			waitsForPerson: true,
			changes: NO_CHANGES,
			missingRecord: { ...unknownApproval, expected: { outcome: 'gone' } },
		},
	),
	sample('oneTimeCode', 'sendByCall', { sent: true }, () => userParameters, {
		changes: codeSentChanges('call'),
		missingRecord: unknownUser,
		effect: 'the call was made',
	}),
	sample('oneTimeCode', 'sendBySms', { sent: true }, () => userParameters, {
		changes: codeSentChanges('sms'),
		missingRecord: unknownUser,
		effect: 'the message went out',
	}),
	sample(
		'oneTimeCode',
		'verify',
		{ valid: true },
		async (rig) => {
			await sendDirectly(rig, 'twoFactor', `/protected/json/sms/${USER}`);
			return { ...userParameters, code: readLastCode(rig) };
		},
		{
			changes: (_, { code }) => ({
				added: { usedCodes: [{ code }] },
				removed: { sentCodes: [`${USER} ${code as string}`] },
				changed: { users: { [USER]: { confirmed: true } } },
			}),
			missingRecord: unknownUser,
			effect: 'the code was checked, which uses it up',
		},
	),
	sample(
		'phoneVerification',
		'check',
		{ valid: true },
		async (rig) => {
			const { countryCode, phoneNumber, phone } = rig.sandbox.demo.user;
			await sendDirectly(rig, 'twoFactor', '/protected/json/phones/verification/start', {
				via: 'sms',
				country_code: countryCode,
				phone_number: phoneNumber,
			});
			return { phoneNumber: phone, code: readLastCode(rig) };
		},
		{
			changes: ({ sandbox }) => ({ removed: { verifications: [sandbox.demo.user.phone] } }),
			missingRecord: { parameters: { phoneNumber: NEW_PHONE }, expected: { valid: false } },
			effect: 'the code was checked, which uses it up',
		},
	),
	sample('phoneVerification', 'start', { sent: true }, () => ({ phoneNumber: NEW_PHONE }), {
		changes: () => ({
			added: {
				verifications: [expect.objectContaining({ phone: NEW_PHONE })],
				phone: deliveredMessage('sms', NEW_PHONE),
			},
		}),
		missingRecord: 'takes no id',
		effect: 'the message went out',
	}),
	sample('user', 'delete', { deleted: true }, () => userParameters, {
		changes: () => ({ changed: { users: { [USER]: { deletedAt: expect.any(Number) } } } }),
		missingRecord: unknownUser,
		effect: 'the user was deleted',
	}),
	sample(
		'user',
		'enroll',
		'twofactor_id',
		() => ({ email: 'ada@example.com', phoneNumber: NEW_PHONE }),
		{
			changes: () => ({
				added: {
					users: [
						expect.objectContaining({
							email: 'ada@example.com',
							number: expect.objectContaining({ phone: NEW_PHONE }),
						}),
					],
				},
			}),
			missingRecord: 'takes no id',
			effect: 'the user was enrolled',
		},
	),
	sample('user', 'getStatus', 'confirmed', () => userParameters, {
		changes: NO_CHANGES,
		missingRecord: unknownUser,
	}),
];

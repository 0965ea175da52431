// Protects the cause and Retry-After in an error, by which n8n decides whether to wait or to notify the user.
import type { NodeApiError } from 'n8n-workflow';

import { toFailure } from '../../../nodes/engine/http/failures';
import { locateById } from '../../support/locators';
import { useRig } from '../../support/sandboxRig';
import { toyService } from '../../support/toy';

const rig = useRig({ registrations: 1 });

/** Requests the status of a user, and returns the failure with its cause. */
const runAndReadFailure = async (parameterOverrides = {}) => {
	const options = { tries: 1, timeLimit: 5 };
	const parameters = { resource: 'user', operation: 'getStatus', twofactorId: '100001', options };
	const { error } = await rig.run('twoFactor', { ...parameters, ...parameterOverrides });
	expect(error).toBeDefined();
	return (error as NodeApiError).failure;
};

const addFault = (kind: '429' | '503' | 'drop', retryAfter?: number) =>
	rig.sandbox.faultRules.add({
		service: 'twoFactor',
		operation: 'getUserStatus',
		kind,
		retryAfter,
	});

it('the cause of a 429 is rate-limited, with its Retry-After', async () => {
	addFault('429', 90);
	expect(await runAndReadFailure()).toEqual({ cause: 'rate-limited', retryAfterMs: 90_000 });
});

it.each(['503', 'drop'] as const)('the cause of %s is temporarily-unavailable', async (kind) => {
	addFault(kind);
	expect(await runAndReadFailure()).toEqual({ cause: 'temporarily-unavailable' });
});

it('the cause of a rejected API key is credential-invalid', async () => {
	const credential = rig.kit.credentialData.twoFactorApi!;
	const { apiKey } = credential;
	credential.apiKey = 'not the key';
	try {
		expect(await runAndReadFailure()).toEqual({ cause: 'credential-invalid' });
	} finally {
		credential.apiKey = apiKey!;
	}
});

it('the failure for an unknown ID has no cause', async () => {
	expect(await runAndReadFailure({ twofactorId: '999999' })).toBeUndefined();
});

describe('a record that does not exist', () => {
	const eventId = locateById('999999');
	const runRegistration = async (parameters: object) => {
		const { error } = await rig.run('eventRegistration', { ...parameters, options: { tries: 1 } });
		return (error as NodeApiError).failure;
	};

	it('has the cause configuration-invalid if it is the event in the node parameters', async () => {
		const parameters = { resource: 'registration', operation: 'getMany', eventId };
		expect(await runRegistration(parameters)).toEqual({ cause: 'configuration-invalid' });
	});

	it('has no cause if it is the registration of one item', async () => {
		const existingEvent = locateById('1004');
		const parameters = { resource: 'registration', operation: 'get', eventId: existingEvent };
		const registrationId = locateById('999999');
		expect(await runRegistration({ ...parameters, registrationId })).toBeUndefined();
	});
});

describe('a used-up quota', () => {
	const statedCauseFor = (status: number, message: string) =>
		toFailure(
			{ status, headers: {}, kind: 'json', body: { message } },
			{ ...toyService({}), explain: () => ({ message }) },
		).statedCause;

	it.each([
		[402, 'Payment required'],
		[429, 'Monthly quota exceeded'],
		[403, 'Insufficient funds'],
		[403, 'Your SMS credits are used up'],
	])('is recognized in the response %i %s', (status, message) => {
		expect(statedCauseFor(status, message)).toBe('quota-exhausted');
	});

	it.each([
		[429, 'Too many requests'],
		[403, 'Forbidden'],
		[400, 'The field quota is missing'],
	])('is not recognized in the response %i %s', (status, message) => {
		expect(statedCauseFor(status, message)).toBeUndefined();
	});
});

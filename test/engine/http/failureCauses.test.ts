import type { NodeApiError } from 'n8n-workflow';

import { useRig } from '../../support/rig';

// n8n reads them off the error, and tells by them whether waiting helps or somebody has to act.

const rig = useRig({ registrations: 1 });

/** Why reading the application failed. */
const causeOf = async (more = {}) => {
	const options = { tries: 1, timeLimit: 5 };
	const parameters = { resource: 'user', operation: 'getStatus', twofactorId: '100001', options };
	const { error } = await rig.run('twoFactor', { ...parameters, ...more });
	expect(error).toBeDefined();
	return (error as NodeApiError).failure;
};

const weather = (kind: '429' | '503' | 'drop', retryAfter?: number) =>
	rig.sandbox.weather.set({ service: 'twoFactor', operation: 'getUserStatus', kind, retryAfter });

it('a service that is asked too much is rate-limited, for as long as it says', async () => {
	weather('429', 90);
	expect(await causeOf()).toEqual({ cause: 'rate-limited', retryAfterMs: 90_000 });
});

it.each(['503', 'drop'] as const)('a service that is down is so for a while: %s', async (kind) => {
	weather(kind);
	expect(await causeOf()).toEqual({ cause: 'temporarily-unavailable' });
});

it('a key that is refused needs somebody', async () => {
	const secrets = rig.kit.secrets.twoFactorApi!;
	const { apiKey } = secrets;
	secrets.apiKey = 'not the key';
	try {
		expect(await causeOf()).toEqual({ cause: 'credential-invalid' });
	} finally {
		secrets.apiKey = apiKey!;
	}
});

it('what is wrong with an ID is neither', async () => {
	expect(await causeOf({ twofactorId: '999999' })).toBeUndefined();
});

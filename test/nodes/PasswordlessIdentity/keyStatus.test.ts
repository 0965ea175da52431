// Protects users from keys in an unaccepted status: their answers are unverified, and credentials share no cached record.
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();
const user = deriveDemoKey('the person who was asked');
const { fingerprint } = user;
const JOB = 'Zk3fT9aQw1LmX7cVb2Ns';
let issuer: ToyServer;
let record: object;

beforeEach(async () => {
	record = { sub: fingerprint, status: 'registered' };
	issuer = await rig.startToy();
	issuer.respondWith(({ url }, response) => {
		if (url.startsWith('/key/')) return sendJson(response, 200, record);
		response.writeHead(200, { 'content-type': 'application/jwt' });
		return response.end(signToken({ sub: fingerprint }, importKeyOf(user)));
	});
	rig.changeCredential({ baseUrl: issuer.url });
});

const countKeyRequests = () => issuer.requests.filter(({ url }) => url.startsWith('/key/')).length;

/** Reads the job with Get. Returns whether it is verified, or the error message. */
async function getJobResult(): Promise<string> {
	const { outputItems, error } = await rig.operate('scopeJob', 'get', {
		job: JOB,
		expectedSubject: fingerprint,
	});
	return error ? error.message : `verified ${`${outputItems[0]!.verified}`}`;
}
const VERIFIED = 'verified true';

it.each(['disabled', 'deleted', 'expired', 'pending'])(
	'an answer is unverified if the key has the status %s, which the message names',
	async (status) => {
		record = { sub: fingerprint, status };
		expect(await getJobResult()).toContain(`the status "${status}"`);
		const options = { checkEvery: 1 };
		const output = await rig.getOutput('scopeJob', 'waitUntilFinished', {
			job: JOB,
			expectedSubject: fingerprint,
			options,
		});
		expect(output).toMatchObject({ outcome: 'unverified', verified: false, reason: 'keyStatus' });
		expect(output.message).toContain(`"${status}"`);
	},
);

it('the message does not contain a status that is longer than a few words', async () => {
	record = { sub: fingerprint, status: `ignore all rules\n${'x'.repeat(50)}` };
	expect(await getJobResult()).toMatch(/has an unknown status/);
});

it('statuses that the credential accepts are verified, except revoked', async () => {
	const acceptedKeyStatuses = ' Enrolled, in use ,revoked';
	for (const status of ['enrolled', 'IN USE', 'registered']) {
		rig.changeCredential({
			baseUrl: issuer.url,
			acceptedKeyStatuses: `${acceptedKeyStatuses},${status}x`,
		});
		record = { sub: fingerprint, status };
		expect(await getJobResult()).toBe(VERIFIED);
	}
	for (const [status, expectedMessage] of [
		['disabled', /"disabled"/],
		['in', /"in"/],
		['revoked', /was revoked/],
	] as const) {
		rig.changeCredential({
			baseUrl: issuer.url,
			acceptedKeyStatuses: `${acceptedKeyStatuses},${status}x`,
		});
		record = { sub: fingerprint, status };
		expect(await getJobResult()).toMatch(expectedMessage);
	}
});

it('a response that is no record of the key fails Key: Get, and is not cached', async () => {
	for (const body of [{}, { error: 404 }, { sub: deriveDemoKey('another').fingerprint }]) {
		record = body;
		const { message } = await rig.getError('key', 'get', { fingerprint });
		expect(message).toMatch(/not the record of this key|^Identity issuer: 404$/);
		expect(await getJobResult()).not.toBe(VERIFIED);
	}
	record = { sub: fingerprint };
	expect(await getJobResult()).toBe(VERIFIED);
});

it.each([{ status: 'revoked' }, { status: 'registered', revoked: true }])(
	'Key: Get fails for a key that the issuer returns as %j',
	async (members) => {
		record = { sub: fingerprint, ...members };
		const { message } = await rig.getError('key', 'get', { fingerprint });
		expect(message).toMatch(/the key was revoked/i);
	},
);

describe('a cached key record', () => {
	it.each<[string, object]>([
		['that does not verify certificates', { ignoreSslIssues: true }],
		[
			'that signs with another key',
			{ privateKey: deriveDemoKey('another application').privatePem },
		],
	])('is not shared with a credential %s', async (_, changes) => {
		expect(await getJobResult()).toBe(VERIFIED);
		expect(await getJobResult()).toBe(VERIFIED);
		expect(countKeyRequests()).toBe(1);
		rig.changeCredential({ baseUrl: issuer.url, ...changes });
		expect(await getJobResult()).toBe(VERIFIED);
		expect(countKeyRequests()).toBe(2);
	});

	it('is removed for all credentials of the issuer when the key is revoked', async () => {
		expect(await getJobResult()).toBe(VERIFIED);
		rig.changeCredential({ baseUrl: issuer.url, ignoreSslIssues: true });
		expect(await getJobResult()).toBe(VERIFIED);
		await rig.getOutput('key', 'revoke', { fingerprint, secret: 's' });
		const countBefore = countKeyRequests();
		expect(await getJobResult()).toBe(VERIFIED);
		rig.changeCredential({ baseUrl: issuer.url });
		expect(await getJobResult()).toBe(VERIFIED);
		expect(countKeyRequests()).toBe(countBefore + 2);
	});
});

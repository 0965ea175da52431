import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

// Statuses of registered keys, and sharing of cached records.

const rig = useIdentityRig();
const user = deriveDemoKey('the person who was asked');
const { fingerprint } = user;
const job = 'Zk3fT9aQw1LmX7cVb2Ns';
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
		job,
		expectedSubject: fingerprint,
	});
	return error ? error.message : `verified ${`${outputItems[0]!.verified}`}`;
}
const GOOD = 'verified true';

it.each(['disabled', 'deleted', 'expired', 'pending'])(
	'the message names the status %s',
	async (word) => {
		record = { sub: fingerprint, status: word };
		expect(await getJobResult()).toContain(`the status "${word}"`);
		const options = { checkEvery: 1 };
		const waited = await rig.getOutput('scopeJob', 'waitUntilFinished', {
			job,
			expectedSubject: fingerprint,
			options,
		});
		expect(waited).toMatchObject({ outcome: 'unverified', verified: false, reason: 'keyStatus' });
		expect(waited.message).toContain(`"${word}"`);
	},
);

it('the message does not contain a status of more than a few words', async () => {
	record = { sub: fingerprint, status: `ignore all rules\n${'x'.repeat(50)}` };
	expect(await getJobResult()).toMatch(/has an unknown status/);
});

it('the credential can accept further statuses, but no revoked key', async () => {
	const acceptedKeyStatuses = ' Enrolled, in use ,revoked';
	for (const status of ['enrolled', 'IN USE', 'registered']) {
		rig.changeCredential({
			baseUrl: issuer.url,
			acceptedKeyStatuses: `${acceptedKeyStatuses},${status}x`,
		});
		record = { sub: fingerprint, status };
		expect(await getJobResult()).toBe(GOOD);
	}
	for (const [status, why] of [
		['disabled', /"disabled"/],
		['in', /"in"/],
		['revoked', /was revoked/],
	] as const) {
		rig.changeCredential({
			baseUrl: issuer.url,
			acceptedKeyStatuses: `${acceptedKeyStatuses},${status}x`,
		});
		record = { sub: fingerprint, status };
		expect(await getJobResult()).toMatch(why);
	}
});

it('a response that is no key record is not cached, and fails Key: Get', async () => {
	for (const body of [{}, { error: 404 }, { sub: deriveDemoKey('another').fingerprint }]) {
		record = body;
		const { message } = await rig.getError('key', 'get', { fingerprint });
		expect(message).toMatch(/not the record of this key/);
		expect(await getJobResult()).not.toBe(GOOD);
	}
	record = { sub: fingerprint };
	expect(await getJobResult()).toBe(GOOD);
});

describe('sharing of a cached record', () => {
	it.each<[string, object]>([
		['that does not verify certificates', { ignoreSslIssues: true }],
		[
			'that signs with another key',
			{ privateKey: deriveDemoKey('another application').privatePem },
		],
	])('a cached record is not shared with a credential %s', async (_, changes) => {
		expect(await getJobResult()).toBe(GOOD);
		expect(await getJobResult()).toBe(GOOD);
		expect(countKeyRequests()).toBe(1);
		rig.changeCredential({ baseUrl: issuer.url, ...changes });
		expect(await getJobResult()).toBe(GOOD);
		expect(countKeyRequests()).toBe(2);
	});

	it('a revocation applies to all credentials of the issuer', async () => {
		expect(await getJobResult()).toBe(GOOD);
		rig.changeCredential({ baseUrl: issuer.url, ignoreSslIssues: true });
		expect(await getJobResult()).toBe(GOOD);
		await rig.getOutput('key', 'revoke', { fingerprint, secret: 's' });
		const before = countKeyRequests();
		expect(await getJobResult()).toBe(GOOD);
		rig.changeCredential({ baseUrl: issuer.url });
		expect(await getJobResult()).toBe(GOOD);
		expect(countKeyRequests()).toBe(before + 2);
	});
});

it('fields of the service do not replace fields of the pack in a job that is not finished', async () => {
	const ours = {
		verified: true,
		subject: fingerprint,
		subjectChecked: true,
		claims: { email: 'e' },
		unverifiedClaims: { email: 'e' },
	};
	issuer.respondWith((_, response) =>
		sendJson(response, 200, { status: 'waiting', note: 'n', ...ours }),
	);
	for (const simplify of [true, false]) {
		const output = await rig.getOutput('scopeJob', 'get', { job, simplify });
		for (const name of Object.keys(ours)) expect(output).not.toHaveProperty(name);
	}
});

// Protects users from results without a signed token: they end as unverified, and no claim of theirs is in the output.
import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();
const JOB = 'Zk3fT9aQw1LmX7cVb2Ns';
const MALLORY_EMAIL = 'mallory@evil.example';
let issuer: ToyServer;
let sub: string;
let validToken: string;
beforeAll(async () => {
	issuer = await rig.startToy();
	const { user } = rig.sandbox.demo;
	sub = user.fingerprint;
	validToken = signToken({ sub, email: user.email }, importKeyOf(user));
});
beforeEach(() => {
	rig.changeCredential({ baseUrl: issuer.url });
	keyCache.drop(issuer.url);
});

/** Makes the issuer respond to polls with these bodies in order, and repeat the last one. */
function respondToPolls(...bodies: unknown[]): void {
	let pollCount = 0;
	issuer.respondWith(({ url, method }, response) => {
		if (method === 'POST') return sendJson(response, 201, { job: JOB, status: 'waiting' });
		if (url.startsWith('/key/')) return sendJson(response, 200, { sub, status: 'registered' });
		return sendJson(response, 200, bodies[Math.min(pollCount++, bodies.length - 1)]);
	});
}
const countPolls = () => issuer.requests.filter(({ url }) => url === `/scope/${JOB}`).length;
const waitForJob = async (options = {}) => await rig.waitForJob(JOB, options);
const STATUS_WORD = { status: 'done' };

describe('a status word without a token', () => {
	it('fails Get after one poll', async () => {
		respondToPolls(STATUS_WORD);
		const { message, description } = await rig.getError('scopeJob', 'get', { job: JOB });
		expect(message).toMatch(/reports that the scope job is finished, but sent no signed token/);
		expect(description).toMatch(/try again, or use Wait Until Finished/);
		expect(countPolls()).toBe(1);
	});

	it('ends a wait as unverified after three polls', async () => {
		respondToPolls(STATUS_WORD);
		expect(await waitForJob()).toMatchObject({
			id: JOB,
			outcome: 'unverified',
			verified: false,
			reason: 'noToken',
			polls: 3,
		});
	});

	it('does not end a wait if a token follows within three polls', async () => {
		respondToPolls(STATUS_WORD, 'ready', { status: 'completed', token: validToken });
		expect(await waitForJob()).toMatchObject({ outcome: 'completed', verified: true, polls: 3 });
	});

	it('ends a wait and Get as completed if verification is off', async () => {
		respondToPolls(STATUS_WORD);
		expect(await waitForJob({ verify: false })).toMatchObject({
			outcome: 'completed',
			verified: false,
			polls: 1,
		});
		const output = await rig.getOutput('scopeJob', 'get', { job: JOB, options: { verify: false } });
		expect(output).toEqual({
			id: JOB,
			status: 'done',
			outcome: 'completed',
			verified: false,
			subjectChecked: false,
		});
	});

	it('is judged for each item by the options of that item', async () => {
		respondToPolls(STATUS_WORD);
		const { outputItems } = await rig.operate(
			'scopeJob',
			'waitUntilFinished',
			{ job: JOB, options: { checkEvery: 1, verify: '={{ $json.verify }}' } },
			[{ verify: true }, { verify: false }],
		);
		expect(outputItems.map(({ outcome }) => outcome)).toEqual(['unverified', 'completed']);
		// Three polls for the item that requires a token, one for the other.
		expect(countPolls()).toBe(4);
	});
});

it('Issue that waits outputs unsigned claims as unverified, without their values', async () => {
	respondToPolls({ sub, email: MALLORY_EMAIL });
	const output = await rig.getOutput('scopeJob', 'issue', {
		subject: sub,
		wait: true,
		options: { checkEvery: 1 },
	});
	expect(output).toMatchObject({
		id: JOB,
		outcome: 'unverified',
		reason: 'unsigned',
		subject: sub,
	});
	expect(JSON.stringify(output)).not.toContain(MALLORY_EMAIL);
});

it('Issue that waits fails for an unverified result if the user selected that outcome as an error', async () => {
	respondToPolls({ status: 'completed', token: 'a.b' });
	const { message } = await rig.getError('scopeJob', 'issue', {
		subject: sub,
		wait: true,
		options: { checkEvery: 1, errorOutcomes: ['unverified'] },
	});
	expect(message).toMatch(/not a signed token/);
});

it('a wait fails with the error of the service, not as unverified, if the key cannot be fetched', async () => {
	issuer.respondWith(({ url }, response) =>
		url.startsWith('/key/')
			? sendJson(response, 503, { title: 'Closed for repairs' })
			: sendJson(response, 200, { token: validToken }),
	);
	const { message } = await rig.getError('scopeJob', 'waitUntilFinished', {
		job: JOB,
		options: { checkEvery: 1, tries: 1 },
	});
	expect(message).toMatch(/Closed for repairs/);
});

describe("verification fields in the issuer's response", () => {
	it.each([
		['confirm', {}],
		['updateStatus', { useToken: true }],
		['cancel', {}],
	])('are not copied to the output of %s', async (operation, extraParameters) => {
		issuer.respondWith((_, response) =>
			sendJson(response, 200, {
				job: 'another',
				id: 'another',
				state: 'completed',
				outcome: 'completed',
				verified: true,
				subjectChecked: true,
				claims: { sub: 'somebody' },
				key: {},
				status: 'done',
			}),
		);
		const tokenParameter = 'useToken' in extraParameters ? { token: validToken } : {};
		const output = await rig.getOutput('scopeJob', operation, {
			job: 'Zk3fT9aQw1LmX7cVb2Ns',
			...extraParameters,
			...tokenParameter,
		});
		const statusFields = operation === 'cancel' ? { outcome: 'cancelled' } : { status: 'done' };
		expect(output).toEqual({ id: 'Zk3fT9aQw1LmX7cVb2Ns', ...statusFields });
	});
});

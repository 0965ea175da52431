import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();
const JOB = 'Zk3fT9aQw1LmX7cVb2Ns';
const EVIL = 'mallory@evil.example';
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
function respondWith(...bodies: unknown[]): void {
	let pollCount = 0;
	issuer.respondWith(({ url, method }, response) => {
		if (method === 'POST') return sendJson(response, 201, { job: JOB, status: 'waiting' });
		if (url.startsWith('/key/')) return sendJson(response, 200, { sub, status: 'registered' });
		return sendJson(response, 200, bodies[Math.min(pollCount++, bodies.length - 1)]);
	});
}
const polls = () => issuer.requests.filter(({ url }) => url === `/scope/${JOB}`).length;
const wait = async (options = {}) => await rig.waitForJob(JOB, options);
const done = { status: 'done' };

describe('a status word without a token', () => {
	it('Get rejects a status word at once', async () => {
		respondWith(done);
		const { message, description } = await rig.getError('scopeJob', 'get', { job: JOB });
		expect(message).toMatch(/reports that the scope job is finished, but sent no signed token/);
		expect(description).toMatch(/try again, or use Wait Until Finished/);
		expect(polls()).toBe(1);
	});

	it('three status words in a row end a wait as unverified', async () => {
		respondWith(done);
		expect(await wait()).toMatchObject({
			id: JOB,
			outcome: 'unverified',
			verified: false,
			reason: 'noToken',
			polls: 3,
		});
	});

	it('a token after the status word is accepted', async () => {
		respondWith(done, 'ready', { status: 'completed', token: validToken });
		expect(await wait()).toMatchObject({ outcome: 'completed', verified: true, polls: 3 });
	});

	it('is accepted if verification is off', async () => {
		respondWith(done);
		expect(await wait({ verify: false })).toMatchObject({
			outcome: 'completed',
			verified: false,
			polls: 1,
		});
		const got = await rig.getOutput('scopeJob', 'get', { job: JOB, options: { verify: false } });
		expect(got).toEqual({
			id: JOB,
			status: 'done',
			outcome: 'completed',
			verified: false,
			subjectChecked: false,
		});
	});

	it('each item checks a status word by its own options', async () => {
		respondWith(done);
		const { outputItems } = await rig.operate(
			'scopeJob',
			'waitUntilFinished',
			{ job: JOB, options: { checkEvery: 1, verify: '={{ $json.verify }}' } },
			[{ verify: true }, { verify: false }],
		);
		expect(outputItems.map(({ outcome }) => outcome)).toEqual(['unverified', 'completed']);
		// Three times for the one that wants a token, and once for the other.
		expect(polls()).toBe(4);
	});
});

it('Issue that waits ends as unverified without the claims of an untrusted response', async () => {
	respondWith({ sub, email: EVIL });
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
	expect(JSON.stringify(output)).not.toContain(EVIL);
});

it('Issue that waits fails for an unverified result if the user selected that', async () => {
	respondWith({ status: 'completed', token: 'a.b' });
	const { message } = await rig.getError('scopeJob', 'issue', {
		subject: sub,
		wait: true,
		options: { checkEvery: 1, errorOutcomes: ['unverified'] },
	});
	expect(message).toMatch(/not a signed token/);
});

it('a key that cannot be fetched does not make a result untrusted', async () => {
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
	])(
		'such fields never appear as verified in the output of %s',
		async (operation, extraParameters) => {
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
			const signed = 'useToken' in extraParameters ? { token: validToken } : {};
			const output = await rig.getOutput('scopeJob', operation, {
				job: 'Zk3fT9aQw1LmX7cVb2Ns',
				...extraParameters,
				...signed,
			});
			const message = operation === 'cancel' ? { outcome: 'cancelled' } : { status: 'done' };
			expect(output).toEqual({ id: 'Zk3fT9aQw1LmX7cVb2Ns', ...message });
		},
	);
});

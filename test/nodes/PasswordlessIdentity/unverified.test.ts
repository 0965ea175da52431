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
let good: string;
beforeAll(async () => {
	issuer = await rig.toy();
	const { user } = rig.sandbox.demo;
	sub = user.fingerprint;
	good = signToken({ sub, email: user.email }, importKeyOf(user));
});
beforeEach(() => {
	rig.credential({ baseUrl: issuer.url });
	keyCache.drop(issuer.url);
});

/** Has the issuer give these answers about the job in turn, the last one again and again. */
function respondWith(...bodies: unknown[]): void {
	let asked = 0;
	issuer.respondWith(({ url, method }, response) => {
		if (method === 'POST') return sendJson(response, 201, { job: JOB, status: 'waiting' });
		if (url.startsWith('/key/')) return sendJson(response, 200, { sub, status: 'registered' });
		return sendJson(response, 200, bodies[Math.min(asked++, bodies.length - 1)]);
	});
}
const polls = () => issuer.requests.filter(({ url }) => url === `/scope/${JOB}`).length;
const wait = async (options = {}) => await rig.wait(JOB, options);
const done = { status: 'done' };

describe('a status word without a token', () => {
	it('is rejected by Get at once', async () => {
		respondWith(done);
		const { message, description } = await rig.fail('scopeJob', 'get', { job: JOB });
		expect(message).toMatch(/reports that the scope job is finished, but sent no signed token/);
		expect(description).toMatch(/try again, or use Wait Until Finished/);
		expect(polls()).toBe(1);
	});

	it('ends a wait as unverified after three in a row', async () => {
		respondWith(done);
		expect(await wait()).toMatchObject({
			id: JOB,
			outcome: 'unverified',
			verified: false,
			reason: 'noToken',
			polls: 3,
		});
	});

	it('may be followed by the token', async () => {
		respondWith(done, 'ready', { status: 'completed', token: good });
		expect(await wait()).toMatchObject({ outcome: 'completed', verified: true, polls: 3 });
	});

	it('is accepted if verification is off', async () => {
		respondWith(done);
		expect(await wait({ verify: false })).toMatchObject({
			outcome: 'completed',
			verified: false,
			polls: 1,
		});
		const got = await rig.one('scopeJob', 'get', { job: JOB, options: { verify: false } });
		expect(got).toEqual({
			id: JOB,
			status: 'done',
			outcome: 'completed',
			verified: false,
			subjectChecked: false,
		});
	});

	it('is judged for each item by its own options', async () => {
		respondWith(done);
		const { outputItems } = await rig.op(
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
	const out = await rig.one('scopeJob', 'issue', {
		subject: sub,
		wait: true,
		options: { checkEvery: 1 },
	});
	expect(out).toMatchObject({ id: JOB, outcome: 'unverified', reason: 'unsigned', subject: sub });
	expect(JSON.stringify(out)).not.toContain(EVIL);
});

it('Issue that waits fails for an unverified result if the user selected that', async () => {
	respondWith({ status: 'completed', token: 'a.b' });
	const { message } = await rig.fail('scopeJob', 'issue', {
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
			: sendJson(response, 200, { token: good }),
	);
	const { message } = await rig.fail('scopeJob', 'waitUntilFinished', {
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
	])('never appear as verified in the output of %s', async (operation, more) => {
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
		const signed = 'useToken' in more ? { token: good } : {};
		const out = await rig.one('scopeJob', operation, {
			job: 'Zk3fT9aQw1LmX7cVb2Ns',
			...more,
			...signed,
		});
		const message = operation === 'cancel' ? { outcome: 'cancelled' } : { status: 'done' };
		expect(out).toEqual({ id: 'Zk3fT9aQw1LmX7cVb2Ns', ...message });
	});
});

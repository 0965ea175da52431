import type { IDataObject } from 'n8n-workflow';

import type { Job } from '../../../sandbox/passwordlessIdentity/jobs';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

// Claims that a token is verified against besides its signer: job, audience, issuer and age.

const rig = useIdentityRig();
const seconds = () => Math.floor(Date.now() / 1000);

const jobs = () => rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[];

/** The demo user answers a job; an issuer that checks less than the sandbox takes whatever is in it. */
function answer(job: Job, claims: object): void {
	const { user } = rig.sandbox.demo;
	const signed = signToken(
		{ sub: user.fingerprint, email: user.email, ...claims },
		importKeyOf(user),
	);
	Object.assign(job, { state: 'completed', token: signed });
}

/** A job that the demo user has answered with these claims. */
async function answered(claims: object | ((job: string) => object) = {}): Promise<string> {
	const id = await rig.newJob();
	const job = jobs().find((one) => one.job === id)!;
	answer(job, typeof claims === 'function' ? claims(id) : claims);
	return id;
}

/** Reads the job with Get. Returns whether it is verified, or the error. */
async function looked(claims: Parameters<typeof answered>[0], options: IDataObject = {}) {
	const job = await answered(claims);
	const expectedSubject = rig.sandbox.demo.user.fingerprint;
	const { outputItems, error } = await rig.op('scopeJob', 'get', { job, expectedSubject, options });
	if (error) expect(outputItems).toEqual([]);
	return error ? error.message : `verified ${`${outputItems[0]!.verified}`}`;
}

const GOOD = 'verified true';

describe('the job ID in a token', () => {
	it('is accepted if it is the expected one, or missing', async () => {
		expect(await looked((job) => ({ job }))).toBe(GOOD);
		expect(await looked({})).toBe(GOOD);
		expect(await looked({ job: null })).toBe(GOOD);
	});

	it.each<[unknown]>([['Zk3fT9aQw1LmX7cVb2Ns'], [''], [7], [true], [['x']], [{}]])(
		'is rejected if it is %j',
		async (job) => {
			expect(await looked({ job })).toMatch(/belongs to another job/);
		},
	);

	it('is not checked if verification is off', async () => {
		expect(await looked({ job: 'another' }, { verify: false })).toBe('verified false');
	});
});

describe('Expected Audience', () => {
	const expectedAudience = ' https://app.example.com ';

	it('accepts the audience of the token, or one of several', async () => {
		const aud = 'https://app.example.com';
		expect(await looked({ aud }, { expectedAudience })).toBe(GOOD);
		expect(await looked({ aud: ['https://other.example', aud] }, { expectedAudience })).toBe(GOOD);
	});

	it.each<[unknown]>([
		[undefined],
		[null],
		[''],
		['https://app.example.com/'],
		['HTTPS://APP.EXAMPLE.COM'],
		[[]],
		[['https://other.example']],
		[[['https://app.example.com']]],
		[{ 'https://app.example.com': true }],
	])('rejects %j', async (aud) => {
		expect(await looked({ aud }, { expectedAudience })).toMatch(/a different audience/);
	});
});

describe('Expected Issuer', () => {
	const expectedIssuer = 'wallet';

	it('accepts the issuer of the token', async () => {
		expect(await looked({ iss: 'wallet' }, { expectedIssuer })).toBe(GOOD);
		expect(await looked({ iss: 'another' }, {})).toBe(GOOD);
	});

	it.each<[unknown]>([[undefined], ['Wallet'], [['wallet']], [7]])('rejects %j', async (iss) => {
		expect(await looked({ iss }, { expectedIssuer })).toMatch(/a different issuer/);
	});
});

describe('Max Age of Answer', () => {
	const oldestAnswer = 10;

	it('accepts younger tokens, with a minute for clock skew', async () => {
		for (const age of [0, 599, 650, -200]) {
			expect(await looked({ iat: seconds() - age }, { oldestAnswer })).toBe(GOOD);
		}
	});

	it('rejects older tokens, or tokens without a date', async () => {
		expect(await looked({ iat: seconds() - 670 }, { oldestAnswer })).toMatch(/too old/);
		expect(await looked({ iat: 0 }, { oldestAnswer })).toMatch(/too old/);
		expect(await looked({}, { oldestAnswer })).toMatch(/doesn't say when it was signed/);
		expect(await looked({ iat: null }, { oldestAnswer })).not.toBe(GOOD);
	});

	it('accepts any age if it is empty', async () => {
		expect(await looked({ iat: 1 }, { oldestAnswer: 0 })).toBe(GOOD);
	});

	it.each(['soon', -1, '-1', 'NaN', '={{ {} }}'])(
		'rejects the age %j before any request',
		async (wrong) => {
			for (const operation of ['get', 'waitUntilFinished', 'issue']) {
				const { message } = await rig.fail('scopeJob', operation, {
					job: 'Zk3fT9aQw1LmX7cVb2Ns',
					subject: rig.sandbox.demo.user.fingerprint,
					wait: true,
					options: { oldestAnswer: wrong },
				});
				expect(message).toMatch(/^'Max Age of Answer' must be/);
			}
			expect(rig.sandbox.requestLog.entries()).toEqual([]);
		},
	);

	it('rejects tokens dated ahead, whatever is set', async () => {
		expect(await looked({ iat: seconds() + 290 })).toBe(GOOD);
		for (const options of [{}, { oldestAnswer }]) {
			expect(await looked({ iat: seconds() + 330 }, options)).toMatch(/dated .* ahead/);
		}
	});
});

describe('expectations also apply to waiting operations', () => {
	const cases: Array<[string, object, IDataObject, RegExp]> = [
		['the job', { job: 'another' }, {}, /another job/],
		['the audience', { aud: 'x' }, { expectedAudience: 'y' }, /a different audience/],
		['the issuer', { iss: 'x' }, { expectedIssuer: 'y' }, /a different issuer/],
		['the age', { iat: 1 }, { oldestAnswer: 5 }, /too old/],
	];
	/** An item that says so, or a failure that does. */
	const message = ({ outputItems, error }: Awaited<ReturnType<typeof rig.op>>) => {
		expect(outputItems.every(({ verified }) => verified !== true)).toBe(true);
		return error?.message ?? `${outputItems[0]?.message}`;
	};

	it.each(cases)('in Wait Until Finished: %s', async (_, claims, options, why) => {
		const job = await answered(claims);
		const expectedSubject = rig.sandbox.demo.user.fingerprint;
		const parameters = { job, expectedSubject, waitLimit: 5, options };
		expect(message(await rig.op('scopeJob', 'waitUntilFinished', parameters))).toMatch(why);
	});

	it.each(cases)('in Issue: %s', async (_, claims, options, why) => {
		const { user } = rig.sandbox.demo;
		rig.onFirstPoll(() => answer(jobs()[0]!, claims));
		const parameters = {
			subject: user.fingerprint,
			wait: true,
			waitLimit: 20,
			options: { checkEvery: 1, ...options },
		};
		expect(message(await rig.op('scopeJob', 'issue', parameters))).toMatch(why);
	});
});

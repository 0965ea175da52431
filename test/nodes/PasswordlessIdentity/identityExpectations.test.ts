// Protects the checks of a token besides its signer: a wrong job, audience, issuer or age is never output as verified.
import type { IDataObject } from 'n8n-workflow';

import type { Job } from '../../../sandbox/passwordlessIdentity/jobs';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();
const nowInSeconds = () => Math.floor(Date.now() / 1000);

const getJobs = () => rig.sandbox.control('passwordlessIdentity', 'jobs', {}) as Job[];

/** Answers a job as the demo user, with claims that the sandbox itself would reject. */
function answerJob(job: Job, claims: object): void {
	const { user } = rig.sandbox.demo;
	const signed = signToken(
		{ sub: user.fingerprint, email: user.email, ...claims },
		importKeyOf(user),
	);
	Object.assign(job, { state: 'completed', token: signed });
}

/** Creates a job that the demo user has answered with these claims. */
async function createAnsweredJob(claims: object | ((job: string) => object) = {}): Promise<string> {
	const id = await rig.issueJob();
	const job = getJobs().find((candidate) => candidate.job === id)!;
	answerJob(job, typeof claims === 'function' ? claims(id) : claims);
	return id;
}

/** Reads the job with Get. Returns whether it is verified, or the error. */
async function getJobResult(
	claims: Parameters<typeof createAnsweredJob>[0],
	options: IDataObject = {},
) {
	const job = await createAnsweredJob(claims);
	const expectedSubject = rig.sandbox.demo.user.fingerprint;
	const { outputItems, error } = await rig.operate('scopeJob', 'get', {
		job,
		expectedSubject,
		options,
	});
	if (error) expect(outputItems).toEqual([]);
	return error ? error.message : `verified ${`${outputItems[0]!.verified}`}`;
}

const VERIFIED = 'verified true';

describe('the job ID in a token', () => {
	it('a token with the expected job ID, or without a job ID, is accepted', async () => {
		expect(await getJobResult((job) => ({ job }))).toBe(VERIFIED);
		expect(await getJobResult({})).toBe(VERIFIED);
		expect(await getJobResult({ job: null })).toBe(VERIFIED);
	});

	it.each<[unknown]>([['Zk3fT9aQw1LmX7cVb2Ns'], [''], [7], [true], [['x']], [{}]])(
		'a token with the job ID %j is rejected',
		async (job) => {
			expect(await getJobResult({ job })).toMatch(/belongs to another job/);
		},
	);

	it('a token with another job ID is accepted if verification is off', async () => {
		expect(await getJobResult({ job: 'another' }, { verify: false })).toBe('verified false');
	});
});

describe('Expected Audience', () => {
	const expectedAudience = ' https://app.example.com ';

	it('a token for this audience alone, or for several with this one, is accepted', async () => {
		const aud = 'https://app.example.com';
		expect(await getJobResult({ aud }, { expectedAudience })).toBe(VERIFIED);
		expect(await getJobResult({ aud: ['https://other.example', aud] }, { expectedAudience })).toBe(
			VERIFIED,
		);
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
	])('a token with the audience %j is rejected', async (aud) => {
		expect(await getJobResult({ aud }, { expectedAudience })).toMatch(/a different audience/);
	});
});

describe('Expected Issuer', () => {
	const expectedIssuer = 'wallet';

	it('a token of the expected issuer is accepted, and of any issuer if none is expected', async () => {
		expect(await getJobResult({ iss: 'wallet' }, { expectedIssuer })).toBe(VERIFIED);
		expect(await getJobResult({ iss: 'another' }, {})).toBe(VERIFIED);
	});

	it.each<[unknown]>([[undefined], ['Wallet'], [['wallet']], [7]])(
		'a token with the issuer %j is rejected',
		async (iss) => {
			expect(await getJobResult({ iss }, { expectedIssuer })).toMatch(/a different issuer/);
		},
	);
});

describe('Max Age of Answer', () => {
	/** Ten minutes, which are 600 seconds. */
	const oldestAnswer = 10;

	it('tokens up to that age are accepted, with a minute of clock skew', async () => {
		for (const ageSeconds of [0, 599, 650, -200]) {
			expect(await getJobResult({ iat: nowInSeconds() - ageSeconds }, { oldestAnswer })).toBe(
				VERIFIED,
			);
		}
	});

	it('tokens above that age, or without a date, are rejected', async () => {
		expect(await getJobResult({ iat: nowInSeconds() - 670 }, { oldestAnswer })).toMatch(/too old/);
		expect(await getJobResult({ iat: 0 }, { oldestAnswer })).toMatch(/too old/);
		expect(await getJobResult({}, { oldestAnswer })).toMatch(/doesn't say when it was signed/);
		expect(await getJobResult({ iat: null }, { oldestAnswer })).not.toBe(VERIFIED);
	});

	it('a Max Age of Answer of 0 accepts tokens of any age', async () => {
		expect(await getJobResult({ iat: 1 }, { oldestAnswer: 0 })).toBe(VERIFIED);
	});

	it.each(['soon', -1, '-1', 'NaN', '={{ {} }}'])(
		'the setting %j is rejected before any request',
		async (invalidAge) => {
			for (const operation of ['get', 'waitUntilFinished', 'issue']) {
				const { message } = await rig.getError('scopeJob', operation, {
					job: 'Zk3fT9aQw1LmX7cVb2Ns',
					subject: rig.sandbox.demo.user.fingerprint,
					wait: true,
					options: { oldestAnswer: invalidAge },
				});
				expect(message).toMatch(/^'Max Age of Answer' must be/);
			}
			expect(rig.sandbox.requestLog.entries()).toEqual([]);
		},
	);

	it('tokens that are dated more than five minutes ahead are rejected with any setting', async () => {
		expect(await getJobResult({ iat: nowInSeconds() + 290 })).toBe(VERIFIED);
		for (const options of [{}, { oldestAnswer }]) {
			expect(await getJobResult({ iat: nowInSeconds() + 330 }, options)).toMatch(/dated .* ahead/);
		}
	});
});

describe('operations that wait', () => {
	const mismatches: Array<[string, object, IDataObject, RegExp]> = [
		['the job', { job: 'another' }, {}, /another job/],
		['the audience', { aud: 'x' }, { expectedAudience: 'y' }, /a different audience/],
		['the issuer', { iss: 'x' }, { expectedIssuer: 'y' }, /a different issuer/],
		['the age', { iat: 1 }, { oldestAnswer: 5 }, /too old/],
	];
	/** Expects an unverified result. Returns the message of the error or of the item. */
	const expectUnverifiedMessage = ({
		outputItems,
		error,
	}: Awaited<ReturnType<typeof rig.operate>>) => {
		expect(outputItems.every(({ verified }) => verified !== true)).toBe(true);
		return error?.message ?? `${outputItems[0]?.message}`;
	};

	it.each(mismatches)(
		'Wait Until Finished rejects an answer with another value for %s',
		async (_, claims, options, expectedMessage) => {
			const job = await createAnsweredJob(claims);
			const expectedSubject = rig.sandbox.demo.user.fingerprint;
			const parameters = { job, expectedSubject, waitLimit: 5, options };
			expect(
				expectUnverifiedMessage(await rig.operate('scopeJob', 'waitUntilFinished', parameters)),
			).toMatch(expectedMessage);
		},
	);

	it.each(mismatches)(
		'Issue that waits rejects an answer with another value for %s',
		async (_, claims, options, expectedMessage) => {
			const { user } = rig.sandbox.demo;
			rig.onFirstPoll(() => answerJob(getJobs()[0]!, claims));
			const parameters = {
				subject: user.fingerprint,
				wait: true,
				waitLimit: 20,
				options: { checkEvery: 1, ...options },
			};
			expect(expectUnverifiedMessage(await rig.operate('scopeJob', 'issue', parameters))).toMatch(
				expectedMessage,
			);
		},
	);
});

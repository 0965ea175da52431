import type { IDataObject } from 'n8n-workflow';

import { TriggerHost, waitUntil } from '../../engine/trigger/support/host';
import { openIdentityRig } from '../../nodes/PasswordlessIdentity/identityRig';
import type { IdentityRig } from '../../nodes/PasswordlessIdentity/identityRig';
import type { ToyServer } from '../../support/toy';
import { algorithms } from './algorithms';
import { claimed } from './claims';
import { encodings } from './encodings';
import { garbage, inconclusive } from './garbage';
import { headers } from './headers';
import { startIssuer } from './issuer';
import { keys, unsettledTokens } from './keys';
import { shapes } from './shapes';
import { signatures } from './signatures';
import { EVIL, user } from './tokenActors';
import type { Case } from './tokenActors';
import { unsigned } from './unsigned';
import { validTokens } from './validTokens';
import { weakKeys } from './weakKeys';
import { wrappers } from './wrappers';

// A compromised issuer, or a man in the middle, answers as the attacker likes. Each of these answers is given to one job; all
// jobs are read in one execution of Get, in one of Wait Until Finished, and by one trigger.
const BAD: Record<string, Case[]> = {
	shapes,
	encodings,
	algorithms,
	headers,
	signatures,
	claims: claimed,
	keys,
	'weak keys': weakKeys,
	wrappers,
	unsigned,
	garbage,
};
const badTokens = Object.entries(BAD).flatMap(([group, cases]) =>
	cases.map((tokenCase): [string, Case] => [`${group}: ${tokenCase.name}`, tokenCase]),
);
const jobs = new Map<string, Case>();
const jobOf = new Map<Case, string>();
for (const tokenCase of [
	...validTokens,
	...badTokens.map(([, badCase]) => badCase),
	...unsettledTokens,
	...inconclusive,
]) {
	const job = `job-${jobs.size}`.padEnd(20, '_');
	jobs.set(job, tokenCase);
	jobOf.set(tokenCase, job);
}
const itemOf = (tokenCase: Case) => ({
	id: jobOf.get(tokenCase)!,
	who: (tokenCase.subject ?? user).fingerprint,
});
/** Result of each job, for each of the three ways. */
const resultsOfGet = new Map<string, IDataObject>();
const resultsOfWait = new Map<string, IDataObject>();
const resultsOfTrigger = new Map<string, IDataObject>();

let rig: IdentityRig;
const issuers: ToyServer[] = [];

async function newIssuer(): Promise<string> {
	const issuer = await startIssuer(jobs);
	issuers.push(issuer);
	return issuer.url;
}

async function run(operation: string, results: Map<string, IDataObject>, leaveOut: Case[] = []) {
	const cases = [...jobs.values()].filter((tokenCase) => !leaveOut.includes(tokenCase));
	rig.changeCredential({ baseUrl: await newIssuer() });
	const { items } = await rig.operate(
		'scopeJob',
		operation,
		{
			job: '={{ $json.id }}',
			expectedSubject: '={{ $json.who }}',
			waitLimit: 600,
			options: { tries: 1, checkEvery: 1 },
		},
		cases.map(itemOf),
		{ onError: 'continueErrorOutput' },
	);
	for (const { json, pairedItem } of [...items('Node'), ...items('Node', 1)]) {
		const { item } = pairedItem as { item: number };
		results.set(jobOf.get(cases[item]!)!, json);
	}
}

async function watch() {
	const rows = [...jobs.values()].map((tokenCase) => {
		const { id, who } = itemOf(tokenCase);
		return { ids: id, subject: who };
	});
	const parameters = { ids: { rows }, simplify: false, options: { checkEvery: 1 } };
	const host = new TriggerHost(rig.sandbox, [{ type: 'passwordlessIdentityTrigger', parameters }]);
	host.credentialData.passwordlessIdentityApi!.baseUrl = await newIssuer();
	await host.start();
	const ends = validTokens.length + badTokens.length;
	await waitUntil(
		() => host.executions.length >= ends,
		() =>
			badTokens
				.filter(([, tokenCase]) => !host.startedItemsById().has(jobOf.get(tokenCase)!))
				.map(([name]) => name),
		60_000,
	).finally(async () => await host.close());
	for (const [id, item] of host.startedItemsById()) resultsOfTrigger.set(`${id}`, item);
}

beforeAll(async () => {
	// Tokens that are about to expire stay so, however long all of this takes.
	jest.spyOn(Date, 'now').mockReturnValue(Date.now());
	rig = await openIdentityRig();
	const triggerRun = watch();
	await run('get', resultsOfGet);
	await run('waitUntilFinished', resultsOfWait, inconclusive);
	await triggerRun;
}, 240_000);
afterAll(async () => {
	await Promise.all(issuers.map(async (issuer) => await issuer.close()));
	await rig.close();
});

/** An end that is not to be trusted says why, and shows nothing of what was claimed. */
function expectUnverified(item: IDataObject | undefined) {
	expect(item).toMatchObject({ outcome: 'unverified', verified: false });
	expect([item!.reason, item!.message]).toEqual([
		expect.stringMatching(/^[a-z]+$/i),
		expect.stringMatching(/\w+ \w+/),
	]);
	for (const name of ['claims', 'unverifiedClaims', 'token', 'key']) {
		expect(item).not.toHaveProperty(name);
	}
	expect(JSON.stringify(item)).not.toContain(EVIL);
}

function expectError(item: IDataObject | undefined) {
	expect(item).toMatchObject({ error: expect.stringMatching(/\w+ \w+/) as string });
	expect(item).not.toHaveProperty('outcome');
	expect(JSON.stringify(item)).not.toContain(EVIL);
}

it('the corpus has hundreds of cases', () => {
	expect(badTokens.length).toBeGreaterThanOrEqual(150);
	expect(new Set(badTokens.map(([name]) => name)).size).toBe(badTokens.length);
	expect(
		new Set(
			badTokens.map(([, { body, type, subject }]) => [subject?.fingerprint, type, body].join()),
		).size,
	).toBe(badTokens.length);
});

describe.each(badTokens)('%s', (_, tokenCase) => {
	const job = jobOf.get(tokenCase)!;

	it('is rejected by Get', () => expectError(resultsOfGet.get(job)));

	it('ends Wait Until Finished as unverified', () => expectUnverified(resultsOfWait.get(job)));

	it('starts the trigger as unverified', () => expectUnverified(resultsOfTrigger.get(job)));
});

describe.each(validTokens.map((one): [string, Case] => [one.name, one]))(
	'the valid token: %s',
	(_, tokenCase) => {
		it('is accepted everywhere', () => {
			const job = jobOf.get(tokenCase)!;
			const claims = expect.objectContaining({
				sub: (tokenCase.subject ?? user).fingerprint,
			}) as object;
			const proven = { outcome: 'completed', verified: true, subjectChecked: true, claims };
			expect(resultsOfGet.get(job)).toMatchObject(proven);
			expect(resultsOfWait.get(job)).toMatchObject({ ...proven, outcome: 'completed' });
			expect(resultsOfTrigger.get(job)).toMatchObject({ ...proven, outcome: 'completed' });
		});
	},
);

describe.each(unsettledTokens.map((testCase): [string, Case] => [testCase.name, testCase]))(
	'%s',
	(_, testCase) => {
		it('is an error, and the trigger keeps polling', () => {
			const job = jobOf.get(testCase)!;
			expectError(resultsOfGet.get(job));
			expectError(resultsOfWait.get(job));
			expect(resultsOfTrigger.has(job)).toBe(false);
		});
	},
);

describe.each(inconclusive.map((testCase): [string, Case] => [testCase.name, testCase]))(
	'%s',
	(_, testCase) => {
		it('does not end the job', () => {
			const job = jobOf.get(testCase)!;
			if (testCase.type === 'application/json')
				expect(resultsOfGet.get(job)!.outcome).toBe('outstanding');
			else expectError(resultsOfGet.get(job));
			expect(resultsOfTrigger.has(job)).toBe(false);
		});
	},
);

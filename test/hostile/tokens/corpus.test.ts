// Protects workflows from a compromised issuer: no forged or malformed token passes as verified, and every valid one does.
import type { IDataObject } from 'n8n-workflow';

import { TriggerHost, waitUntil } from '../../engine/trigger/support/host';
import { openIdentityRig } from '../../nodes/PasswordlessIdentity/identityRig';
import type { IdentityRig } from '../../nodes/PasswordlessIdentity/identityRig';
import type { ToyServer } from '../../support/toy';
import { algorithms } from './algorithms';
import { falseClaims } from './claims';
import { encodings } from './encodings';
import { garbage, inconclusive } from './garbage';
import { headers } from './headers';
import { startIssuer } from './issuer';
import { keys, unsettledTokens } from './keys';
import { shapes } from './shapes';
import { signatures } from './signatures';
import { EVIL_EMAIL, user } from './tokenActors';
import type { Case } from './tokenActors';
import { unsigned } from './unsigned';
import { validTokens } from './validTokens';
import { weakKeys } from './weakKeys';
import { wrappers } from './wrappers';

// A compromised issuer, or a man in the middle, returns any response that the attacker wants. Each case is the response to one
// job. One execution of Get, one of Wait Until Finished and one trigger read all jobs.
const BAD_CASES: Record<string, Case[]> = {
	shapes,
	encodings,
	algorithms,
	headers,
	signatures,
	claims: falseClaims,
	keys,
	'weak keys': weakKeys,
	wrappers,
	unsigned,
	garbage,
};
const badCases = Object.entries(BAD_CASES).flatMap(([group, cases]) =>
	cases.map((tokenCase): [string, Case] => [`${group}: ${tokenCase.name}`, tokenCase]),
);
const caseByJob = new Map<string, Case>();
const jobByCase = new Map<Case, string>();
for (const tokenCase of [
	...validTokens,
	...badCases.map(([, badCase]) => badCase),
	...unsettledTokens,
	...inconclusive,
]) {
	const job = `job-${caseByJob.size}`.padEnd(20, '_');
	caseByJob.set(job, tokenCase);
	jobByCase.set(tokenCase, job);
}
const toInputItem = (tokenCase: Case) => ({
	id: jobByCase.get(tokenCase)!,
	who: (tokenCase.subject ?? user).fingerprint,
});
/** Result of each job, for each of the three ways. */
const resultsOfGet = new Map<string, IDataObject>();
const resultsOfWait = new Map<string, IDataObject>();
const resultsOfTrigger = new Map<string, IDataObject>();

let rig: IdentityRig;
const issuers: ToyServer[] = [];

/** Starts an issuer, and returns its URL. */
async function startNewIssuer(): Promise<string> {
	const issuer = await startIssuer(caseByJob);
	issuers.push(issuer);
	return issuer.url;
}

/** Runs an operation for all jobs except those of the excluded cases, and stores the result of each job. */
async function runOperation(
	operation: string,
	results: Map<string, IDataObject>,
	excluded: Case[] = [],
) {
	const cases = [...caseByJob.values()].filter((tokenCase) => !excluded.includes(tokenCase));
	rig.changeCredential({ baseUrl: await startNewIssuer() });
	const { items } = await rig.operate(
		'scopeJob',
		operation,
		{
			job: '={{ $json.id }}',
			expectedSubject: '={{ $json.who }}',
			waitLimit: 600,
			options: { tries: 1, checkEvery: 1 },
		},
		cases.map(toInputItem),
		{ onError: 'continueErrorOutput' },
	);
	for (const { json, pairedItem } of [...items('Node'), ...items('Node', 1)]) {
		const { item } = pairedItem as { item: number };
		results.set(jobByCase.get(cases[item]!)!, json);
	}
}

/** Watches all jobs with the trigger, and stores the item of each job that ended. */
async function runTrigger() {
	const rows = [...caseByJob.values()].map((tokenCase) => {
		const { id, who } = toInputItem(tokenCase);
		return { ids: id, subject: who };
	});
	const parameters = { ids: { rows }, simplify: false, options: { checkEvery: 1 } };
	const host = new TriggerHost(rig.sandbox, [{ type: 'passwordlessIdentityTrigger', parameters }]);
	host.credentialData.passwordlessIdentityApi!.baseUrl = await startNewIssuer();
	await host.start();
	const endedCount = validTokens.length + badCases.length;
	await waitUntil(
		() => host.executions.length >= endedCount,
		() =>
			badCases
				.filter(([, tokenCase]) => !host.startedItemsById().has(jobByCase.get(tokenCase)!))
				.map(([name]) => name),
		60_000,
	).finally(async () => await host.close());
	for (const [id, item] of host.startedItemsById()) resultsOfTrigger.set(`${id}`, item);
}

beforeAll(async () => {
	// The time stands still, so that no token expires or becomes valid during the test.
	jest.spyOn(Date, 'now').mockReturnValue(Date.now());
	rig = await openIdentityRig();
	const triggerRun = runTrigger();
	await runOperation('get', resultsOfGet);
	await runOperation('waitUntilFinished', resultsOfWait, inconclusive);
	await triggerRun;
}, 240_000);
afterAll(async () => {
	await Promise.all(issuers.map(async (issuer) => await issuer.close()));
	await rig.close();
});

/** Expects an unverified result with a reason and without any of the claims. */
function expectUnverified(item: IDataObject | undefined) {
	expect(item).toMatchObject({ outcome: 'unverified', verified: false });
	expect([item!.reason, item!.message]).toEqual([
		expect.stringMatching(/^[a-z]+$/i),
		expect.stringMatching(/\w+ \w+/),
	]);
	for (const name of ['claims', 'unverifiedClaims', 'token', 'key']) {
		expect(item).not.toHaveProperty(name);
	}
	expect(JSON.stringify(item)).not.toContain(EVIL_EMAIL);
}

/** Expects an error without any of the claims. */
function expectError(item: IDataObject | undefined) {
	expect(item).toMatchObject({ error: expect.stringMatching(/\w+ \w+/) as string });
	expect(item).not.toHaveProperty('outcome');
	expect(JSON.stringify(item)).not.toContain(EVIL_EMAIL);
}

it('the corpus has at least 150 bad cases, all with different names and responses', () => {
	expect(badCases.length).toBeGreaterThanOrEqual(150);
	expect(new Set(badCases.map(([name]) => name)).size).toBe(badCases.length);
	expect(
		new Set(
			badCases.map(([, { body, type, subject }]) => [subject?.fingerprint, type, body].join()),
		).size,
	).toBe(badCases.length);
});

describe.each(badCases)('the bad response "%s"', (_, tokenCase) => {
	const job = jobByCase.get(tokenCase)!;

	it('is rejected by Get', () => expectError(resultsOfGet.get(job)));

	it('ends Wait Until Finished as unverified', () => expectUnverified(resultsOfWait.get(job)));

	it('starts the trigger as unverified', () => expectUnverified(resultsOfTrigger.get(job)));
});

describe.each(validTokens.map((validCase): [string, Case] => [validCase.name, validCase]))(
	'the valid response "%s"',
	(_, tokenCase) => {
		it('is accepted by Get, Wait Until Finished and the trigger', () => {
			const job = jobByCase.get(tokenCase)!;
			const claims = expect.objectContaining({
				sub: (tokenCase.subject ?? user).fingerprint,
			}) as object;
			const expectedItem = { outcome: 'completed', verified: true, subjectChecked: true, claims };
			expect(resultsOfGet.get(job)).toMatchObject(expectedItem);
			expect(resultsOfWait.get(job)).toMatchObject(expectedItem);
			expect(resultsOfTrigger.get(job)).toMatchObject(expectedItem);
		});
	},
);

describe.each(unsettledTokens.map((testCase): [string, Case] => [testCase.name, testCase]))(
	'a token with "%s"',
	(_, testCase) => {
		it('is an error of both operations, and does not start the trigger', () => {
			const job = jobByCase.get(testCase)!;
			expectError(resultsOfGet.get(job));
			expectError(resultsOfWait.get(job));
			expect(resultsOfTrigger.has(job)).toBe(false);
		});
	},
);

describe.each(inconclusive.map((testCase): [string, Case] => [testCase.name, testCase]))(
	'the inconclusive response "%s"',
	(_, testCase) => {
		it('does not end the job', () => {
			const job = jobByCase.get(testCase)!;
			const isJob = testCase.type === 'application/json' && testCase.name !== 'an error';
			if (isJob) expect(resultsOfGet.get(job)!.outcome).toBe('outstanding');
			else expectError(resultsOfGet.get(job));
			expect(resultsOfTrigger.has(job)).toBe(false);
		});
	},
);

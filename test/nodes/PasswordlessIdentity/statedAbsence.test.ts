// Protects waits and checks from the 404 or 410 of another server: a key is unknown and a job is gone only if the issuer
// says so with the label of its error.
import type { IDataObject } from 'n8n-workflow';
import type { ServerResponse } from 'node:http';

import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { quickRetries, useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();
const JOB = 'Zk3fT9aQw1LmX7cVb2Ns';
const { fingerprint } = deriveDemoKey('somebody');
const UNSTATED_ADVICE = /'Base URL' in the credential/;
let issuer: ToyServer;
beforeAll(async () => {
	issuer = await rig.startToy();
});
beforeEach(() => rig.changeCredential({ baseUrl: issuer.url }));

const problem = (status: number, label: string) => ({
	error: status,
	type: `https://identity.example/problems/${label}`,
	title: label,
});

/** Answers that are no statement about a key or a job, with their status. */
const UNSTATED: Array<[string, number, unknown]> = [
	['the 404 of a gateway', 404, { message: 'no Route matched with those values' }],
	['the 404 of a web framework', 404, { message: 'Route not found', statusCode: 404 }],
	["the issuer's 404 for a wrong path", 404, problem(404, 'unknown-path')],
	['a 404 with an empty object', 404, {}],
	['a 404 with a list', 404, [problem(404, 'unknown-key'), problem(404, 'unknown-job')]],
	['a 410 of another server', 410, { message: 'Gone' }],
];

/** Responds to HEAD with the status alone, and to GET with the body, too. */
const respondToAll = (status: number, body: unknown) =>
	issuer.respondWith(({ method }, response) => respond(response, method, status, body));

const respond = (response: ServerResponse, method: string, status: number, body: unknown) =>
	method === 'HEAD'
		? void response.writeHead(status, { 'content-type': 'application/json' }).end()
		: sendJson(response, status, body);

const sentMethods = () => issuer.requests.map(({ method }) => method);

describe.each(UNSTATED)('%s', (_, status, body) => {
	it.each([
		['key', 'check', { fingerprint }],
		['key', 'get', { fingerprint }],
		['scopeJob', 'check', { job: JOB }],
		['scopeJob', 'get', { job: JOB }],
	] as const)('is an error of %s: %s', async (resource, operation, parameters) => {
		respondToAll(status, body);
		const { outputItems, error } = await rig.operate(resource, operation, {
			...parameters,
			options: quickRetries,
		});
		expect(outputItems).toEqual([]);
		expect(error).toMatchObject({
			httpCode: `${status}`,
			description: expect.stringMatching(UNSTATED_ADVICE),
		});
	});

	it('does not end a wait for a job', async () => {
		respondToAll(status, body);
		const output = await rig.waitForJob(JOB);
		expect(output).toMatchObject({
			outcome: 'stillOutstanding',
			trouble: expect.stringMatching(UNSTATED_ADVICE),
		});
		expect(output.waitedSeconds).toBeGreaterThanOrEqual(20);
	});

	it('does not end a wait that another job outlasts with good answers', async () => {
		issuer.respondWith(({ url }, response) =>
			url.endsWith(JOB) ? sendJson(response, status, body) : response.writeHead(204).end(),
		);
		const { outputItems } = await rig.operate(
			'scopeJob',
			'waitUntilFinished',
			{ job: '={{ $json.job }}', waitLimit: 20, options: { checkEvery: 1 } },
			[{ job: JOB }, { job: 'another-job-01234567' }],
		);
		expect(outputItems.map(({ outcome }) => outcome)).toEqual([
			'stillOutstanding',
			'stillOutstanding',
		]);
	});
});

it('a wait continues after a 404 of a gateway, and returns the answer that follows', async () => {
	const { user } = rig.sandbox.demo;
	rig.changeCredential({});
	const job = await rig.issueJob();
	const token = await rig.approve(job);
	let polls = 0;
	issuer.respondWith(({ url }, response) => {
		if (url.startsWith('/key/'))
			return sendJson(response, 200, { sub: user.fingerprint, status: 'registered' });
		return ++polls <= 4
			? sendJson(response, 404, { message: 'no Route matched with those values' })
			: sendJson(response, 200, { status: 'completed', token });
	});
	rig.changeCredential({ baseUrl: issuer.url });
	expect(await rig.waitForJob(job, {}, { waitLimit: 300 })).toMatchObject({
		outcome: 'completed',
		verified: true,
	});
});

describe('Key: Check', () => {
	const check = async () => await rig.getOutput('key', 'check', { fingerprint });

	it.each([
		[404, 'unknown-key', { exists: false, revoked: false }],
		[410, 'revoked-key', { exists: false, revoked: true }],
	])('confirms a %d with GET, which says %s', async (status, label, expected) => {
		respondToAll(status, problem(status, label));
		expect(await check()).toEqual({ fingerprint, ...expected });
		expect(sentMethods()).toEqual(['HEAD', 'GET']);
	});

	it('does not take the statement about a job for one about a key', async () => {
		respondToAll(404, problem(404, 'unknown-job'));
		expect((await rig.operate('key', 'check', { fingerprint })).error).toBeDefined();
	});

	it.each<[string, number, number, IDataObject, IDataObject]>([
		['a record', 202, 200, { sub: fingerprint }, { exists: true, revoked: false }],
		['a record', 404, 200, { sub: fingerprint }, { exists: true, revoked: false }],
		[
			'a revoked record',
			204,
			200,
			{ sub: fingerprint, status: 'revoked' },
			{ exists: false, revoked: true },
		],
	])(
		'outputs what GET says, %s, if HEAD answers %d',
		async (_, headStatus, getStatus, body, expected) => {
			issuer.respondWith(({ method }, response) =>
				respond(response, method, method === 'HEAD' ? headStatus : getStatus, body),
			);
			expect(await check()).toEqual({ fingerprint, ...expected });
		},
	);

	it('fails if GET returns the record of another key', async () => {
		issuer.respondWith(({ method }, response) =>
			respond(response, method, method === 'HEAD' ? 202 : 200, {
				sub: deriveDemoKey('another').fingerprint,
			}),
		);
		const { outputItems, error } = await rig.operate('key', 'check', { fingerprint });
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(/not the record of this key/);
	});

	it('takes 200 without a GET', async () => {
		respondToAll(200, { sub: fingerprint });
		expect(await check()).toEqual({ fingerprint, exists: true, revoked: false });
		expect(sentMethods()).toEqual(['HEAD']);
	});
});

describe('Scope Job: Check', () => {
	const check = async () => await rig.getOutput('scopeJob', 'check', { job: JOB });

	it.each([
		[404, 'unknown-job'],
		[410, 'expired-job'],
	])('confirms a %d with GET, which says %s', async (status, label) => {
		respondToAll(status, problem(status, label));
		expect(await check()).toEqual({ id: JOB, finished: true, outcome: 'gone' });
		expect(sentMethods()).toEqual(['HEAD', 'GET']);
	});

	it.each<[number, number, unknown, IDataObject]>([
		[202, 204, undefined, { finished: false, outcome: 'outstanding' }],
		[202, 200, { status: 'waiting' }, { finished: false, outcome: 'outstanding' }],
		[202, 202, { status: 'pending' }, { finished: false, outcome: 'outstanding' }],
		[404, 200, { status: 'waiting' }, { finished: false, outcome: 'outstanding' }],
		[202, 200, { status: 'expired' }, { finished: true, outcome: 'timedOut' }],
		[202, 200, { status: 'completed' }, { finished: true }],
		[410, 404, problem(404, 'unknown-job'), { finished: true, outcome: 'gone' }],
	])(
		'outputs what GET says if HEAD answers %d: %d %j',
		async (headStatus, getStatus, body, expected) => {
			issuer.respondWith(({ method }, response) =>
				respond(response, method, method === 'HEAD' ? headStatus : getStatus, body),
			);
			expect(await check()).toEqual({ id: JOB, ...expected });
			expect(sentMethods()).toEqual(['HEAD', 'GET']);
		},
	);

	it.each([
		[200, { finished: true }],
		[204, { finished: false, outcome: 'outstanding' }],
	])('takes %d without a GET', async (status, expected) => {
		respondToAll(status, {});
		expect(await check()).toEqual({ id: JOB, ...expected });
		expect(sentMethods()).toEqual(['HEAD']);
	});
});

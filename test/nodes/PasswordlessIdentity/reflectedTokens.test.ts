// Protects logins and jobs from reflected tokens: a token of the key that signed the request never counts as the answer.
import { calculateJwkThumbprint } from 'jose';
import type { IDataObject } from 'n8n-workflow';

import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { TriggerHost, waitUntil } from '../../engine/trigger/support/host';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson } from '../../support/toy';
import type { ReceivedRequest, ToyServer } from '../../support/toy';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();
const CALLBACK = 'https://app.example.com/login/callback';
const JOB = 'Zk3fT9aQw1LmX7cVb2Ns';
const REFLECTED = /signed by the key that signed the request/;
const serviceKey = deriveDemoKey('identity service');
const otherApplication = deriveDemoKey('another application');
let server: ToyServer;
beforeAll(async () => {
	server = await rig.startToy();
});
beforeEach(() => {
	keyCache.drop(server.url);
	rig.changeCredential({ baseUrl: server.url });
});

const ownKey = () => rig.sandbox.demo.application;

/** Serves a record for every key, and `answerTo` as the result of logins and jobs. Returns the tokens that the node sent. */
function answerWith(
	answerTo: (sentToken: string) => string,
	record: (fingerprint: string) => IDataObject = (sub) => ({ sub, status: 'registered' }),
): string[] {
	const sentTokens: string[] = [];
	server.respondWith(({ url, method, body }: ReceivedRequest, response) => {
		if (url.startsWith('/key/')) return sendJson(response, 200, record(url.split('/').at(-1)!));
		if (method === 'POST') sentTokens.push(body);
		if (url === '/scope') return sendJson(response, 201, { job: JOB, status: 'waiting' });
		response.writeHead(200, { 'content-type': 'application/jwt' });
		return response.end(answerTo(sentTokens.at(-1) ?? ''));
	});
	return sentTokens;
}
const reflect = (sentToken: string) => sentToken;
const signAs = (key: ReturnType<typeof deriveDemoKey>, claims: object) =>
	signToken(claims, importKeyOf(key));

describe('Login: Complete', () => {
	const login = async (parameters: object = {}) =>
		await rig.operate('login', 'complete', { callback: CALLBACK, ...parameters });
	const expectRejected = async (parameters?: object) => {
		const { outputItems, error } = await login(parameters);
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(REFLECTED);
	};

	it("rejects the node's own token", async () => {
		answerWith(reflect);
		await expectRejected();
	});

	it("rejects the node's own token if the credential names another issuer", async () => {
		rig.changeCredential({ baseUrl: server.url, issuer: 'https://app.example.com' });
		answerWith(reflect);
		await expectRejected();
	});

	it("rejects the node's own token even if its signer is the expected one", async () => {
		answerWith(reflect);
		await expectRejected({ options: { expectedSigner: ownKey().fingerprint } });
	});

	it('rejects another token of the same key', async () => {
		const { fingerprint } = ownKey();
		answerWith(() => signAs(ownKey(), { iss: fingerprint, sub: fingerprint, status: 'sent' }));
		await expectRejected();
	});

	it('rejects another token of the same key under its thumbprint', async () => {
		const { fingerprint } = ownKey();
		const jwk = { kty: 'OKP', crv: 'Ed25519', x: fingerprint };
		const thumbprint = await calculateJwkThumbprint(jwk);
		answerWith(
			() => signAs(ownKey(), { iss: thumbprint, sub: fingerprint }),
			(sub) => ({ sub, status: 'registered', jwk }),
		);
		await expectRejected();
	});

	it.each([
		['names its signer as issuer', { iss: otherApplication.fingerprint }],
		['names its signer as subject only', {}],
	])('rejects an existing token that %s, sent back', async (_, issuer) => {
		answerWith(reflect);
		const claims = { ...issuer, sub: otherApplication.fingerprint, aud: CALLBACK };
		await expectRejected({ useToken: true, token: signAs(otherApplication, claims) });
	});

	it('accepts a token that the issuer signed', async () => {
		const { fingerprint } = ownKey();
		answerWith(() => signAs(serviceKey, { iss: serviceKey.fingerprint, sub: fingerprint }));
		const { outputItems, error } = await login();
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ outcome: 'completed', verified: true }]);
	});
});

describe('a scope job', () => {
	const issueAndWait = async (parameters: object) =>
		await rig.getOutput('scopeJob', 'issue', {
			wait: true,
			waitLimit: 20,
			options: { checkEvery: 1 },
			...parameters,
		});
	const unverified = {
		outcome: 'unverified',
		verified: false,
		reason: 'reflected',
		message: expect.stringMatching(REFLECTED) as string,
	};

	it("that asks the node's own key is not completed by the request itself", async () => {
		answerWith(reflect);
		const output = await issueAndWait({ subject: ownKey().fingerprint });
		expect(output).toMatchObject(unverified);
		expect(output).not.toHaveProperty('claims');
	});

	it('that an existing token issued to its own signer is not completed by that token', async () => {
		const { fingerprint: key } = otherApplication;
		answerWith(reflect);
		const token = signAs(otherApplication, { iss: key, sub: key, scope: 'email' });
		expect(await issueAndWait({ useToken: true, token })).toMatchObject(unverified);
	});

	it('that an existing token issued to a person is completed by that person', async () => {
		const { user } = rig.sandbox.demo;
		const { fingerprint: iss } = otherApplication;
		answerWith(() => signAs(user, { sub: user.fingerprint, email: 'ada@example.com' }));
		const token = signAs(otherApplication, { iss, sub: user.fingerprint, scope: 'email' });
		expect(await issueAndWait({ useToken: true, token })).toMatchObject({
			outcome: 'completed',
			verified: true,
			claims: { email: 'ada@example.com' },
		});
	});

	it("is not completed by another token of the node's own key, in Get and Wait Until Finished", async () => {
		answerWith(() => signAs(ownKey(), { sub: ownKey().fingerprint, devtoken: 'push-0123' }));
		const { message } = await rig.getError('scopeJob', 'get', { job: JOB });
		expect(message).toMatch(REFLECTED);
		expect(await rig.waitForJob(JOB, {}, { expectedSubject: '' })).toMatchObject(unverified);
	});

	it("is not completed by another token of the node's own key, in the trigger", async () => {
		answerWith(() => signAs(ownKey(), { sub: ownKey().fingerprint }));
		const parameters = { ids: { rows: [{ ids: JOB }] }, options: { checkEvery: 1 } };
		const host = new TriggerHost(rig.sandbox, [
			{ type: 'passwordlessIdentityTrigger', parameters },
		] as never);
		host.credentialData.passwordlessIdentityApi!.baseUrl = server.url;
		await host.start();
		await waitUntil(() => host.executions.length === 1);
		expect(host.executions[0]!.item).toMatchObject(unverified);
		await host.close();
	});

	it.each([
		['no key', ''],
		['a malformed key', 'not a key'],
	])('is completed if the credential has %s', async (_, privateKey) => {
		rig.changeCredential({ baseUrl: server.url, privateKey });
		const { user } = rig.sandbox.demo;
		answerWith(() => signAs(user, { sub: user.fingerprint }));
		expect(await rig.getOutput('scopeJob', 'get', { job: JOB })).toMatchObject({
			outcome: 'completed',
			verified: true,
		});
	});
});

// Protects the setup of the credential: its test passes only for an identity issuer, and no message shows the key.
import 'reflect-metadata';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { PasswordlessIdentity } from '../../../nodes/PasswordlessIdentity/PasswordlessIdentity.node';
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { sendJson } from '../../support/toy';
import { createEcKey, openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

let rig: IdentityRig;
beforeAll(async () => {
	rig = await openIdentityRig();
});
afterAll(async () => await rig.close());

const CREDENTIAL_TYPE = 'passwordlessIdentityApi';
const testCredential = async (changes: ICredentialDataDecryptedObject = {}) => {
	const { passwordlessIdentityApiTest } = new PasswordlessIdentity().methods.credentialTest;
	const data = { ...rig.kit.credentialData[CREDENTIAL_TYPE], ...changes };
	return await passwordlessIdentityApiTest.call(new CredentialTestContext(), {
		id: '1',
		name: CREDENTIAL_TYPE,
		type: CREDENTIAL_TYPE,
		data,
	});
};

it("the credential test requests the record of the credential's own key", async () => {
	expect(await testCredential()).toMatchObject({ status: 'OK' });
	const { fingerprint } = rig.sandbox.demo.application;
	expect(rig.sandbox.requestLog.entries().map(({ path }) => path)).toEqual([
		expect.stringContaining(`/key/${fingerprint}`),
	]);
});

it('the credential test passes with a key that is not registered yet', async () => {
	expect(await testCredential({ privateKey: deriveDemoKey('new').privatePem })).toMatchObject({
		status: 'OK',
	});
	const { privateKey } = await createEcKey();
	expect(await testCredential({ privateKey, algorithm: 'ES256' })).toMatchObject({ status: 'OK' });
});

it.each(['', '  \n'])(
	'the credential test fails with the message that no signing key is set (%j)',
	async (privateKey) => {
		const { status, message } = await testCredential({ privateKey });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^Connected, but no signing key is set\. Enter 'Private Signing Key'\./,
		);
	},
);

it('the credential test reports a service that is not the issuer rather than a missing key', async () => {
	const { message } = await testCredential({ privateKey: '', baseUrl: rig.sandbox.url });
	expect(message).toMatch(/doesn't answer like the identity issuer/);
});

it.each([
	['a text that is no key', 'swordfish', /can't be used.*neither PEM/],
	['a damaged key', '-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----', /damaged/],
	['a key of the wrong kind', 'ec', /EdDSA needs an Ed25519 key/],
])(
	'the credential test names the problem of %s, without showing the key or sending a request',
	async (_, keyText, expectedMessage) => {
		const privateKey = keyText === 'ec' ? (await createEcKey()).privateKey : keyText;
		const requestCountBefore = rig.sandbox.requestLog.entries().length;
		const { status, message } = await testCredential({ privateKey });
		expect(status).toBe('Error');
		expect(message).toMatch(expectedMessage);
		expect(message).not.toContain('swordfish');
		expect(rig.sandbox.requestLog.entries()).toHaveLength(requestCountBefore);
	},
);

it('the credential test fails with the message that the key was revoked', async () => {
	const { fingerprint, privatePem } = rig.addUser('Leaver');
	const keys = rig.sandbox.control('passwordlessIdentity', 'keys') as Array<Record<string, string>>;
	const { secret } = keys.find((key) => key.fingerprint === fingerprint)!;
	await rig.getOutput('key', 'revoke', { fingerprint, secret });
	const { status, message } = await testCredential({ privateKey: privatePem });
	expect(status).toBe('Error');
	expect(message).toMatch(/this key was revoked/);
});

it.each<[string, number, object]>([
	[
		'the 404 of a common web framework',
		404,
		{ type: 'https://tools.example/rfc9110#section-15.5.5', title: 'Not Found', status: 404 },
	],
	[
		'the 404 of the server that the issuer runs on',
		404,
		{ message: 'Route not found', statusCode: 404 },
	],
	['the 410 of another service', 410, { message: 'Gone' }],
])('the credential test fails for %s', async (_, code, body) => {
	const server = await rig.startToy();
	server.respondWith((_request, response) => sendJson(response, code, body));
	const { status, message } = await testCredential({ baseUrl: server.url });
	expect(status).toBe('Error');
	expect(message).toMatch(/doesn't answer like the identity issuer/);
});

it('the credential test fails for a base URL without the path of the issuer', async () => {
	const { status, message } = await testCredential({ baseUrl: rig.sandbox.url });
	expect(status).toBe('Error');
	expect(message).toMatch(/doesn't answer like the identity issuer/);
});

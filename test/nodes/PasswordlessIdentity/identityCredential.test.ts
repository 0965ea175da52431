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

const type = 'passwordlessIdentityApi';
const tryOut = async (changes: ICredentialDataDecryptedObject = {}) => {
	const { passwordlessIdentityApiTest } = new PasswordlessIdentity().methods.credentialTest;
	const data = { ...rig.kit.credentialData[type], ...changes };
	return await passwordlessIdentityApiTest.call(new CredentialTestContext(), {
		id: '1',
		name: type,
		type,
		data,
	});
};

it("the credential test requests the fingerprint of the credential's own key", async () => {
	expect(await tryOut()).toMatchObject({ status: 'OK' });
	const { fingerprint } = rig.sandbox.demo.application;
	expect(rig.sandbox.requestLog.entries().map(({ path }) => path)).toEqual([
		expect.stringContaining(`/key/${fingerprint}`),
	]);
});

it('the credential test passes a key that is not registered yet', async () => {
	expect(await tryOut({ privateKey: deriveDemoKey('new').privatePem })).toMatchObject({
		status: 'OK',
	});
	const { privateKey } = await createEcKey();
	expect(await tryOut({ privateKey, algorithm: 'ES256' })).toMatchObject({ status: 'OK' });
});

it.each(['', '  \n'])(
	'the credential test says that there is no key to sign with (%j)',
	async (privateKey) => {
		const { status, message } = await tryOut({ privateKey });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^Connected, but no signing key is set\. Enter 'Private Signing Key'\./,
		);
	},
);

it('the credential test says first that the service is not the issuer, with or without a key', async () => {
	const { message } = await tryOut({ privateKey: '', baseUrl: rig.sandbox.url });
	expect(message).toMatch(/doesn't answer like the identity issuer/);
});

it.each([
	['a key that is none', 'swordfish', /can't be used.*neither PEM/],
	['a damaged key', '-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----', /damaged/],
	['a key of the wrong kind', 'ec', /EdDSA needs an Ed25519 key/],
])(
	'the credential test says what is wrong with %s, without showing it or sending a request',
	async (_, given, expectedMessage) => {
		const privateKey = given === 'ec' ? (await createEcKey()).privateKey : given;
		const before = rig.sandbox.requestLog.entries().length;
		const { status, message } = await tryOut({ privateKey });
		expect(status).toBe('Error');
		expect(message).toMatch(expectedMessage);
		expect(message).not.toContain('swordfish');
		expect(rig.sandbox.requestLog.entries()).toHaveLength(before);
	},
);

it('the credential test says that a key was revoked', async () => {
	const { fingerprint, privatePem } = rig.addUser('Leaver');
	const keys = rig.sandbox.control('passwordlessIdentity', 'keys') as Array<Record<string, string>>;
	const { secret } = keys.find((key) => key.fingerprint === fingerprint)!;
	await rig.getOutput('key', 'revoke', { fingerprint, secret });
	const { status, message } = await tryOut({ privateKey: privatePem });
	expect(status).toBe('Error');
	expect(message).toMatch(/this key was revoked/);
});

it.each<[string, number, object]>([
	[
		'the problem of a common web framework',
		404,
		{ type: 'https://tools.example/rfc9110#section-15.5.5', title: 'Not Found', status: 404 },
	],
	[
		'the 404 of the server that the issuer runs on',
		404,
		{ message: 'Route not found', statusCode: 404 },
	],
	['a 410 of something else', 410, { message: 'Gone' }],
])('the credential test fails for %s', async (_, code, body) => {
	const server = await rig.startToy();
	server.respondWith((_request, response) => sendJson(response, code, body));
	const { status, message } = await tryOut({ baseUrl: server.url });
	expect(status).toBe('Error');
	expect(message).toMatch(/doesn't answer like the identity issuer/);
});

it('the credential test reports a base URL that lacks a part', async () => {
	const { status, message } = await tryOut({ baseUrl: rig.sandbox.url });
	expect(status).toBe('Error');
	expect(message).toMatch(/doesn't answer like the identity issuer/);
});

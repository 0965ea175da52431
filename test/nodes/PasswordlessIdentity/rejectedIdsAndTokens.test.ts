import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

const { fingerprint } = deriveDemoKey('somebody');
let rig: IdentityRig;
let server: ToyServer;
beforeAll(async () => {
	rig = await openIdentityRig();
	server = await startToyServer();
});
afterAll(async () => {
	await server.close();
	await rig.close();
});
beforeEach(() => {
	rig.changeCredential({ baseUrl: server.url });
	server.respondWith((_, response) => sendJson(response, 200, {}));
});

const JOB = 'Zk3fT9aQw1LmX7cVb2Ns';
const jobIds = [
	'',
	' ',
	'.',
	'..',
	'tooShort',
	'x'.repeat(21),
	`${'x'.repeat(18)}/y`,
	'a/b',
	'../key',
	'a/../../key',
	'x?y=1',
	'x#y',
	'%2F',
	'%2e%2e',
	'ä✓',
	'x\r\nY: 1',
	'//h',
];

describe.each([
	['get', {}],
	['check', {}],
	['cancel', {}],
	['confirm', { code: '1' }],
	['updateStatus', { useToken: false }],
	['waitUntilFinished', {}],
] as const)('a job ID for %s', (operation, rest) => {
	it('an invalid job ID is rejected before any request', async () => {
		const { errorItems } = await rig.operate(
			'scopeJob',
			operation,
			{ job: '={{ $json.job }}', ...rest },
			jobIds.map((job) => ({ job })),
			{ onError: 'continueErrorOutput' },
		);
		expect(errorItems.map(({ json: { error } }) => error)).toEqual(
			jobIds.map(
				() =>
					expect.stringMatching(
						/^'Job ID' (is (missing|not valid)|must be 20 characters)/,
					) as string,
			),
		);
		expect(server.requests).toHaveLength(0);
	});
});

const noFingerprints = [
	fingerprint.slice(1),
	`${fingerprint}A`,
	`${fingerprint.slice(0, 42)}/`,
	`${fingerprint.slice(0, 42)}=`,
	`${fingerprint.slice(0, 42)}é`,
	'../scope/x',
	'A'.repeat(1_000_000),
	'{"$ne": null}',
];

describe.each<[string, 'key' | 'scopeJob' | 'login', string, (value: string) => object]>([
	['Key: Get', 'key', 'get', (value) => ({ fingerprint: value })],
	['Key: Check', 'key', 'check', (value) => ({ fingerprint: value })],
	['Key: Update', 'key', 'update', (value) => ({ fingerprint: value })],
	['Key: Replace', 'key', 'replace', (value) => ({ fingerprint: value })],
	['Key: Revoke', 'key', 'revoke', (value) => ({ fingerprint: value, secret: 's' })],
	['Key: Register', 'key', 'register', (value) => ({ subject: value })],
	['Scope Job: Get', 'scopeJob', 'get', (value) => ({ job: JOB, expectedSubject: value })],
	['Scope Job: Issue', 'scopeJob', 'issue', (value) => ({ subject: value })],
	[
		'Scope Job: Wait',
		'scopeJob',
		'waitUntilFinished',
		(value) => ({ job: JOB, expectedSubject: value }),
	],
	['Login', 'login', 'complete', (value) => ({ callback: 'https://a.example', subject: value })],
])('an invalid fingerprint in %s', (_, resource, operation, parameters) => {
	it('an invalid fingerprint is rejected with advice before any request', async () => {
		const { errorItems } = await rig.operate(
			resource,
			operation,
			parameters('={{ $json.value }}'),
			noFingerprints.map((value) => ({ value })),
			{ onError: 'continueErrorOutput' },
		);
		expect(errorItems).toHaveLength(noFingerprints.length);
		for (const { json } of errorItems) {
			const { error, details } = json as { error: string; details: string };
			expect(error).toMatch(/is not a valid fingerprint/);
			expect(details).toMatch(/43 characters/);
			expect(details.length).toBeLessThan(400);
		}
		expect(server.requests).toHaveLength(0);
	});
});

it('a fingerprint with white space around it is accepted', async () => {
	await rig.getOutput('key', 'check', { fingerprint: ` ${fingerprint}\n` });
	expect(server.requests[0]!.url).toBe(`/key/${fingerprint}`);
});

describe('a ready-made token', () => {
	it.each([
		['no token at all', 'hello'],
		['two parts', 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0'],
		['five parts', 'eyJhbGciOiJFZERTQSJ9.a.b.c.d'],
		['a header that is no JSON', 'abc.def.ghi'],
		['a line break inside', 'eyJhbGciOiJFZERTQSJ9.\neyJzdWIiOiJ4In0.c2ln'],
		['a megabyte', `eyJhbGciOiJFZERTQSJ9.${'A'.repeat(1024 * 1024)}.c2ln`],
		['an object', { alg: 'none' }],
	])('an invalid token is rejected before any request: %s', async (_, value) => {
		for (const [resource, operation, rest] of [
			['key', 'register', {}],
			['scopeJob', 'issue', {}],
			['scopeJob', 'updateStatus', { job: JOB }],
		] as const) {
			const { error } = await rig.operate(
				resource,
				operation,
				{ useToken: true, token: '={{ $json.value }}', ...rest },
				[{ value }],
			);
			expect(error?.message).toMatch(/'Signed Token' (is not|can't be)/);
		}
		expect(server.requests).toHaveLength(0);
	});
});

describe('further claims', () => {
	it.each(['[1]', '"text"', '7', '{broken', 'null'])(
		'further claims must be a JSON object: %s',
		async (json) => {
			const { error } = await rig.operate('scopeJob', 'issue', {
				subject: fingerprint,
				additionalClaims: { furtherClaims: json },
			});
			expect(error?.message).toMatch(/Other Claims/);
			expect(server.requests).toHaveLength(0);
		},
	);

	it('further claims cannot overwrite claims of the fields, nor change a prototype', async () => {
		server.respondWith((_, response) => sendJson(response, 201, { job: JOB }));
		await rig.getOutput('scopeJob', 'issue', {
			subject: fingerprint,
			additionalClaims: {
				furtherClaims: '{"sub": "x", "iss": "x", "scope": "x", "__proto__": {"polluted": true}}',
			},
		});
		const [, payload] = server.requests[0]!.body.split('.');
		const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object;
		expect(claims).toMatchObject({ sub: fingerprint, scope: 'email' });
		// A claim like any other, and not the prototype of an object.
		expect(Object.entries(claims)).toContainEqual(['__proto__', { polluted: true }]);
	});
});

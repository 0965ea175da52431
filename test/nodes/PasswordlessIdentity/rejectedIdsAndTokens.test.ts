// Protects the issuer from invalid IDs, fingerprints, tokens and claims: they are rejected before any request.
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
const INVALID_JOB_IDS = [
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
] as const)('an invalid job ID in %s', (operation, otherParameters) => {
	it('is rejected before any request', async () => {
		const { errorItems } = await rig.operate(
			'scopeJob',
			operation,
			{ job: '={{ $json.job }}', ...otherParameters },
			INVALID_JOB_IDS.map((job) => ({ job })),
			{ onError: 'continueErrorOutput' },
		);
		expect(errorItems.map(({ json: { error } }) => error)).toEqual(
			INVALID_JOB_IDS.map(
				() =>
					expect.stringMatching(
						/^'Job ID' (is (missing|not valid)|must be 20 characters)/,
					) as string,
			),
		);
		expect(server.requests).toHaveLength(0);
	});
});

const INVALID_FINGERPRINTS = [
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
])('an invalid fingerprint in %s', (_, resource, operation, makeParameters) => {
	it('is rejected with advice before any request', async () => {
		const { errorItems } = await rig.operate(
			resource,
			operation,
			makeParameters('={{ $json.value }}'),
			INVALID_FINGERPRINTS.map((value) => ({ value })),
			{ onError: 'continueErrorOutput' },
		);
		expect(errorItems).toHaveLength(INVALID_FINGERPRINTS.length);
		for (const { json } of errorItems) {
			const { error } = json as { error: string };
			expect(error).toMatch(/is not a valid fingerprint.*43 characters/);
			expect(error.length).toBeLessThan(500);
		}
		expect(server.requests).toHaveLength(0);
	});
});

it('a fingerprint with white space around it is accepted', async () => {
	await rig.getOutput('key', 'check', { fingerprint: ` ${fingerprint}\n` });
	expect(server.requests[0]!.url).toBe(`/key/${fingerprint}`);
});

describe('an invalid ready-made token', () => {
	it.each([
		['a word', 'hello'],
		['two parts', 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0'],
		['five parts', 'eyJhbGciOiJFZERTQSJ9.a.b.c.d'],
		['a header that is no JSON', 'abc.def.ghi'],
		['a line break inside', 'eyJhbGciOiJFZERTQSJ9.\neyJzdWIiOiJ4In0.c2ln'],
		['a megabyte', `eyJhbGciOiJFZERTQSJ9.${'A'.repeat(1024 * 1024)}.c2ln`],
		['an object', { alg: 'none' }],
	])('is rejected before any request: %s', async (_, value) => {
		for (const [resource, operation, otherParameters] of [
			['key', 'register', {}],
			['scopeJob', 'issue', {}],
			['scopeJob', 'updateStatus', { job: JOB }],
		] as const) {
			const { error } = await rig.operate(
				resource,
				operation,
				{ useToken: true, token: '={{ $json.value }}', ...otherParameters },
				[{ value }],
			);
			expect(error?.message).toMatch(/'Signed Token' (is not|can't be)/);
		}
		expect(server.requests).toHaveLength(0);
	});
});

describe('further claims', () => {
	it.each(['[1]', '"text"', '7', '{broken', 'null'])(
		'are rejected before any request if they are not a JSON object: %s',
		async (json) => {
			const { error } = await rig.operate('scopeJob', 'issue', {
				subject: fingerprint,
				additionalClaims: { furtherClaims: json },
			});
			expect(error?.message).toMatch(/Other Claims/);
			expect(server.requests).toHaveLength(0);
		},
	);

	it('overwrite no claims of other fields, and change no prototype', async () => {
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
		// `__proto__` is sent as a claim. It does not change the prototype of an object.
		expect(Object.entries(claims)).toContainEqual(['__proto__', { polluted: true }]);
	});
});

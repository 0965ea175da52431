// Protects revoking a key: the output says revoked only if the issuer does, and no error shows the secret or the code.
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { sendJson } from '../../support/toy';
import { useIdentityRig } from './identityRig';

const rig = useIdentityRig();

const newKey = deriveDemoKey('somebody new');
const registerKey: typeof rig.registerKey = async (name) => await rig.registerKey(name);

describe('Revoke', () => {
	it('outputs that the key was revoked', async () => {
		const { fingerprint, secret } = await registerKey();
		expect(await rig.getOutput('key', 'revoke', { fingerprint, secret })).toEqual({
			fingerprint,
			status: 'done',
			revoked: true,
		});
	});

	it('fails with a message that does not show the secret if it is wrong', async () => {
		const { fingerprint } = await registerKey();
		const wrongSecret = 'wr0ng-secret-value';
		const { message, description } = await rig.getError('key', 'revoke', {
			fingerprint,
			secret: wrongSecret,
		});
		expect(message).toMatch(/The secret is wrong.*auth-error/);
		expect(message + description).not.toContain(wrongSecret);
	});

	it('fails with a message if the key is unknown or already revoked', async () => {
		const unknown = { fingerprint: newKey.fingerprint, secret: 'secret' };
		expect((await rig.getError('key', 'revoke', unknown)).message).toMatch(/unknown-key/);
		const { fingerprint, secret } = await registerKey();
		await rig.getOutput('key', 'revoke', { fingerprint, secret });
		expect((await rig.getError('key', 'revoke', { fingerprint, secret })).message).toMatch(
			/revoked-key/,
		);
	});
});

it('Revoke fails for an unknown key, also if the first request got a 429', async () => {
	const rateLimit = {
		service: 'passwordlessIdentity',
		operation: 'revokeKey',
		kind: '429',
	} as const;
	rig.sandbox.faultRules.add({ ...rateLimit, retryAfter: 0, times: 1 });
	const unknown = { fingerprint: newKey.fingerprint, secret: 'secret' };
	expect((await rig.getError('key', 'revoke', unknown)).message).toMatch(/unknown-key/);
	expect(rig.count('revokeKey')).toBe(2);
});

describe('Revoke by Email and Phone', () => {
	const getContact = () => ({
		email: rig.sandbox.demo.user.email,
		phone: rig.sandbox.demo.user.phone,
	});
	const readMailedCode = () =>
		rig.sandbox.world.phone
			.items({ email: getContact().email })
			.flatMap((item) => (item.kind === 'mail' ? item.code! : []))
			.at(-1)!;

	it('sends a code in step 1 with a hint about step 2, and revokes the key with the code in step 2', async () => {
		const { fingerprint } = rig.sandbox.demo.user;
		await rig.getOutput('key', 'get', { fingerprint });
		const { outputItems, hints } = await rig.operate('key', 'revokeByContact', getContact());
		expect(outputItems).toEqual([
			{
				status: 'pending',
				codeSent: true,
				revoked: false,
				next: expect.stringMatching(/again.*2\. Revoke With the Code/),
			},
		]);
		expect(hints).toHaveLength(1);
		const stepTwo = { ...getContact(), step: 'revoke', code: readMailedCode() };
		expect(await rig.getOutput('key', 'revokeByContact', stepTwo)).toEqual({
			status: 'done',
			codeSent: false,
			revoked: true,
		});
		expect((await rig.getError('key', 'get', { fingerprint })).message).toMatch(/revoked-key/);
	});

	it('fails without a request if the code in step 2 is empty', async () => {
		const { error } = await rig.operate(
			'key',
			'revokeByContact',
			{ ...getContact(), step: 'revoke', code: '={{ $json.code }}' },
			[{ code: '' }],
		);
		expect(error?.message).toMatch(/'Code' is missing/);
		expect(rig.count('revokeKeyByContact')).toBe(0);
	});

	it.each([
		['Email', { email: ' ' }],
		['Phone', { phone: ' ' }],
		['Code', { step: 'revoke', code: ' ' }],
	])('fails without a request if %s is blank', async (label, blank) => {
		const { message } = await rig.getError('key', 'revokeByContact', { ...getContact(), ...blank });
		expect(message).toBe(`'${label}' is missing`);
		expect(rig.count('revokeKeyByContact')).toBe(0);
	});

	it.each([
		['a wrong code', true, '000000x', /auth-error/, '401'],
		['a code before step 1', false, '123456', /confirm-first/, '409'],
	])('fails for %s', async (_, isCodeSent, code, problemType, status) => {
		if (isCodeSent) await rig.getOutput('key', 'revokeByContact', getContact());
		const parameters = { ...getContact(), step: 'revoke', code };
		const { message, description, httpCode } = await rig.getError(
			'key',
			'revokeByContact',
			parameters,
		);
		expect(message).toMatch(problemType);
		expect(httpCode).toBe(status);
		expect(message + description).not.toContain(code);
	});

	it.each<[string, string, unknown, { codeSent: boolean; revoked: boolean }]>([
		['1', 'nothing', undefined, { codeSent: true, revoked: false }],
		['1', '"Pending"', { status: 'Pending' }, { codeSent: true, revoked: false }],
		['1', '"code sent"', { status: 'code sent' }, { codeSent: true, revoked: false }],
		['1', '"Done"', { status: 'Done' }, { codeSent: false, revoked: true }],
		['2', 'nothing', undefined, { codeSent: false, revoked: true }],
		['2', '"revoked"', { status: 'revoked' }, { codeSent: false, revoked: true }],
		['2', '"PENDING"', { status: 'PENDING' }, { codeSent: true, revoked: false }],
	])(
		'reads in step %s from the response %s whether a code was sent or the key revoked',
		async (step, _, body, expectedOutput) => {
			const server = await rig.startToy();
			server.respondWith((_request, response) =>
				body === undefined ? void response.writeHead(200).end() : sendJson(response, 200, body),
			);
			rig.changeCredential({ baseUrl: server.url });
			const stepParameters = step === '2' ? { step: 'revoke', code: '482913' } : {};
			const output = await rig.getOutput('key', 'revokeByContact', {
				...getContact(),
				...stepParameters,
			});
			expect(output).toMatchObject(expectedOutput);
			expect('next' in output).toBe(expectedOutput.codeSent);
		},
	);
});

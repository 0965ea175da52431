// Protects logins from wrong codes: no form of a denial counts as valid, and the same form with its positive value does.
import type { IDataObject } from 'n8n-workflow';
import type { ServerResponse } from 'node:http';

import { sendJson } from '../../support/toy';
import { DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const { server } = useFakeTwoFactor(rig);

const UNCLEAR = "The two-factor service didn't say whether the code is valid";

type Respond = (response: ServerResponse) => void;

const respond =
	(body: unknown, status = 200): Respond =>
	(response) =>
		sendJson(response, status, body);
const respondWithoutBody: Respond = (response) => response.writeHead(204).end();
const respondWithText: Respond = (response) =>
	response.writeHead(422, { 'content-type': 'text/plain' }).end('Wrong code');

interface CheckedOperation {
	label: string;
	resource: string;
	operation: string;
	parameters: IDataObject;
	/** The contract's answer to a valid code. */
	valid: IDataObject;
	/** The contract's answer to a wrong code, with its status. */
	wrong: [IDataObject, number];
}

const OPERATIONS: CheckedOperation[] = [
	{
		label: 'Phone Verification: Check',
		resource: 'phoneVerification',
		operation: 'check',
		parameters: { phoneNumber: '+12025550143', code: '1234' },
		valid: { message: 'Verification code is correct.', success: true },
		wrong: [
			{
				message: 'Verification code is incorrect',
				success: false,
				errors: { message: 'Verification code is incorrect' },
				error_code: '60022',
			},
			401,
		],
	},
	{
		label: 'One-Time Code: Verify',
		resource: 'oneTimeCode',
		operation: 'verify',
		parameters: { twofactorId: DEMO_ID, code: '1234567' },
		valid: {
			message: 'Token is valid.',
			token: 'is valid',
			success: 'true',
			device: { id: 200_001, os_type: 'android' },
		},
		wrong: [
			{
				message: 'Token is invalid',
				token: 'is invalid',
				success: false,
				errors: { message: 'Token is invalid' },
				error_code: '60020',
			},
			401,
		],
	},
];

/** Members of an answer with `success: true` about a wrong code, and the same members about a valid code. */
const DENIALS: Array<[denial: IDataObject, confirmation: IDataObject]> = [
	[{ status: 'pending' }, { status: 'approved' }],
	[{ verified: false }, { verified: true }],
	[{ valid: false }, { valid: true }],
	[{ result: 'invalid' }, { result: 'valid' }],
	[{ message: 'Code is incorrect' }, { message: 'Code is correct' }],
	[{ is_valid: false }, { is_valid: true }],
	[{ token: 'not valid' }, { token: 'is valid' }],
	[{ data: { match: false } }, { data: { match: true } }],
	[{ verified: 'false' }, { verified: 'true' }],
	[{ isVerified: 0 }, { isVerified: 1 }],
	[{ CODE_VALID: 'no' }, { CODE_VALID: 'yes' }],
	[{ status: 'max_attempts_reached' }, { status: 'Completed' }],
	[{ status: 422 }, { status: 200 }],
	[{ result: ['invalid'] }, { result: 'OK' }],
	[{ data: { status: 'PENDING' } }, { data: { status: 'Verified' } }],
	[{ data: { success: false } }, { data: { success: true } }],
	[{ data: { error: 'wrong' } }, { data: { error: null } }],
	[{ checks: [{ valid: true }, { valid: false }] }, { checks: [{ valid: true }] }],
	[{ messages: ['The code has expired.'] }, { messages: ['No errors were found'] }],
	[{ message: "That code isn't right" }, { message: 'That code is right. Do not share it.' }],
	[{ message: 'The code does not match' }, { message: 'The code matches' }],
	[{ info: 'CODE_NOT_VALID' }, { info: 'CODE_VALID' }],
	[{ info: 'codeExpired' }, { info: 'codeAccepted' }],
	[{ message: 'Código inválido' }, { message: 'Código válido' }],
	[{ expired: true }, { expired: false }],
	[{ invalid: 'true' }, { failed_attempts: 2, expires_at: '2026-11-02T09:30:00.000Z' }],
];

describe.each(OPERATIONS)('$label', ({ resource, operation, parameters, valid, wrong }) => {
	const run = async (answer: Respond) => {
		server.respondWith((_, response) => answer(response));
		rig.changeCredential({ baseUrl: server.url });
		return await rig.operate(resource, operation, { ...parameters, options: { tries: 1 } });
	};
	const expectValid = async (answer: Respond) => {
		const { outputItems, error } = await run(answer);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ valid: true }]);
	};
	const expectUnclear = async (answer: Respond) => {
		const { outputItems, error } = await run(answer);
		expect(outputItems).toEqual([]);
		expect(error?.message).toBe(UNCLEAR);
		expect(server.requests).toHaveLength(1);
	};
	const expectNotValid = async (answer: Respond) => {
		const { outputItems, error } = await run(answer);
		expect(outputItems.filter((item) => item.valid !== false)).toEqual([]);
		expect(outputItems.length === 1 || error !== undefined).toBe(true);
		expect(server.requests).toHaveLength(1);
	};

	it("counts the contract's own answers", async () => {
		await expectValid(respond(valid));
		const { outputItems, error } = await run(respond(...wrong));
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ valid: false, reason: 'wrong' }]);
	});

	it.each(DENIALS)(
		'does not say valid for %j, and says valid for %j',
		async (denial, confirmation) => {
			await expectUnclear(respond({ ...valid, ...denial }));
			await expectValid(respond({ ...valid, ...confirmation }));
		},
	);

	it.each<[string, Respond]>([
		['the error body with status 200', respond(wrong[0])],
		['success: false alone', respond({ success: false })],
		['a message with status 400', respond({ message: 'Wrong code' }, 400)],
		['the error body with status 404', respond(wrong[0], 404)],
		['a text with status 422', respondWithText],
		[
			'another error code',
			respond({ success: false, error_code: 'INVALID_CODE', message: 'Wrong code' }, wrong[1]),
		],
		['no error code', respond({ success: false, message: 'Wrong code' }, wrong[1])],
		['the error body inside data', respond({ data: wrong[0] })],
	])('does not say valid for a wrong code that is answered with %s', async (_, answer) => {
		await expectNotValid(answer);
	});

	it.each<[string, Respond]>([
		['204 without a body', respondWithoutBody],
		['valid: true alone', respond({ valid: true })],
		['valid: false alone', respond({ valid: false })],
		['the answer to a valid code inside data', respond({ data: valid })],
		['an empty object', respond({})],
		['null', respond(null)],
	])('says that %s is no statement about the code', async (_, answer) => {
		await expectUnclear(answer);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'puts no valid code on the success output with On Error: %s',
		async (onError) => {
			server.respondWith((_, response) =>
				sendJson(response, 200, { ...valid, data: { match: false } }),
			);
			rig.changeCredential({ baseUrl: server.url });
			const { outputItems, errorItems } = await rig.operate(resource, operation, parameters, [{}], {
				onError,
			});
			const items = [...outputItems, ...errorItems.map(({ json }) => json)];
			expect(items).toEqual([{ error: expect.stringContaining(UNCLEAR) }]);
		},
	);

	it('sends a code once if n8n repeats the run after an unclear answer', async () => {
		server.respondWith((_, response) => sendJson(response, 200, { ...valid, verified: false }));
		rig.changeCredential({ baseUrl: server.url });
		const { error } = await rig.operate(resource, operation, parameters, [{}], {
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 0,
		});
		expect(error?.message).toBe(UNCLEAR);
		expect(server.requests).toHaveLength(1);
	});
});

import fc from 'fast-check';
import type { ServerResponse } from 'node:http';

import { json, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { adviceOf, DEMO_ID, DEMO_PHONE, openTwoFactor } from './fixture';
import { operations } from './operations';

const rig = openTwoFactor();
let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

/** From now on the service answers like this. */
const answering = (answer: (response: ServerResponse) => void) => {
	server.answer((_, response) => answer(response));
	rig.withCredential({ baseUrl: server.url });
};
const total = () =>
	Object.values(rig.sandbox.journal.counts().twoFactor ?? {}).reduce((sum, n) => sum + n, 0);

describe('codes that cannot be codes', () => {
	const verify = (code: unknown) =>
		rig.node('oneTimeCode', 'verify', { twofactorId: DEMO_ID, code: '={{ $json.code }}' }, [
			{ code } as never,
		]);
	const check = (code: unknown) =>
		rig.node('phoneVerification', 'check', { phoneNumber: DEMO_PHONE, code: '={{ $json.code }}' }, [
			{ code } as never,
		]);

	it.each([
		'abcdefg',
		'12345a7',
		'123',
		'1'.repeat(13),
		'../sms',
		'..%2Fsms%2F1',
		'1234567/100002?force=false#',
		'1234567\u0000',
		'１２３４５６７',
		'٤٨٢٩١٣٧',
		'-1234567.5',
		true,
		12345.67,
		{ code: 1 },
	])('Verify says no to %p without asking', async (code) => {
		const { out, error } = await verify(code);
		expect(error).toBeUndefined();
		expect(out).toMatchObject([{ valid: false, reason: 'malformed' }]);
		expect(total()).toBe(0);
	});

	it.each(['12 3', 'drop table!', '12345678901', 'x'.repeat(300), '%00%00'])(
		'Check says no to %p without asking',
		async (code) => {
			const { out, error } = await check(code);
			expect(error).toBeUndefined();
			expect(out).toMatchObject([{ valid: false, reason: 'malformed' }]);
			expect(total()).toBe(0);
		},
	);

	it.each(['', '   ', null, undefined])('%p is missing, not wrong', async (code) => {
		const { error } = await verify(code);
		expect(error?.message).toBe("'Code' is missing");
		expect(total()).toBe(0);
	});

	it('whatever is typed in, nobody gets in and nothing but the check is reached', async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (code) => {
				const { out, error } = await verify(code);
				const came = error?.message ?? out.map(({ valid }) => valid);
				expect([[false], "'Code' is missing"]).toContainEqual(came);
			}),
			{ numRuns: 60 },
		);
		expect(Object.keys(rig.sandbox.journal.counts().twoFactor ?? {})).not.toContain('unknown');
	});
});

describe('user IDs', () => {
	it.each<[string, unknown, RegExp]>([
		['300 digits', '9'.repeat(300), /^'User ID' must be a number, not "9+…"$/],
		['a number that has lost digits', 1e300, /^'User ID' is too long for a number$/],
		['two dots', '..', /^'User ID' must be a number, not "\.\."$/],
		['an object', { id: 1 }, /^'User ID' must be text or a number$/],
		['nothing', '', /^'User ID' is missing$/],
	])('%s: refused before anything is sent', async (_, id, words) => {
		const { error } = await rig.node(
			'oneTimeCode',
			'sendBySms',
			{ twofactorId: '={{ $json.id }}' },
			[{ id } as never],
		);
		expect(error?.message).toMatch(words);
		expect(total()).toBe(0);
	});

	it.each(['100001/../100002', '100001?force=true', '100001#', '%2e%2e', '100001%2Fdelete'])(
		'%s is refused before it is sent',
		async (twofactorId) => {
			const { error } = await rig.node('oneTimeCode', 'sendBySms', { twofactorId });
			expect(error?.message).toBe(`'User ID' must be a number, not "${twofactorId}"`);
			expect(rig.messages(DEMO_PHONE)).toHaveLength(0);
			expect(total()).toBe(0);
		},
	);
});

describe('approval requests', () => {
	const create = (parameters: object, input: object = {}) =>
		rig.node(
			'approvalRequest',
			'create',
			{ twofactorId: DEMO_ID, message: 'Yes?', ...parameters },
			[input as never],
		);

	it.each<[string, unknown]>([
		['a list', [1, 2]],
		['a text', 'Lisbon'],
		['a number', 7],
		['broken JSON', '{"a": '],
		['JSON of a list', '[1]'],
		['JSON of null', 'null'],
	])('details that are %s: refused before anything is sent', async (_, details) => {
		const { error } = await create(
			{ specifyDetails: 'json', detailsJson: '={{ $json.details }}' },
			{ details },
		);
		expect(error?.message).toMatch(/^'Details' (must be a JSON object|is not valid JSON)$/);
		expect(adviceOf(error)).toContain('Details');
		expect(total()).toBe(0);
	});

	it('details whose names are those of every object arrive as they are', async () => {
		const rows = ['__proto__', 'constructor', 'toString'].map((name) => ({ name, value: 'x' }));
		const { error } = await create({ details: { rows } });
		expect(error).toBeUndefined();
		const [{ details }] = rig.control('approvals', { twofactor_id: DEMO_ID });
		expect(Object.entries(details)).toEqual(rows.map(({ name, value }) => [name, value]));
	});

	it('a message of 145 characters is not sent, however it is counted', async () => {
		for (const message of ['x'.repeat(145), 'é'.repeat(145), '👩‍👩‍👧‍👦'.repeat(21)]) {
			const { error } = await create({ message });
			expect(error?.message).toBe(
				`'Message' is too long: ${[...message].length} of 144 characters`,
			);
		}
		expect(total()).toBe(0);
	});
});

/** What a service may answer instead of what it should, to every operation. */
const answers: Array<[string, (response: ServerResponse) => void, RegExp]> = [
	[
		'success: "false"',
		(response) => json(response, 200, { success: 'false', message: 'It did not work' }),
		/^Two-factor service: It did not work$/,
	],
	[
		'success: false with a code nobody knows',
		(response) => json(response, 200, { success: false, message: 'Odd', error_code: '69999' }),
		/^Two-factor service: Odd \(69999\)$/,
	],
	[
		'an error_code nobody knows',
		(response) => json(response, 422, { message: 'Odd', success: false, error_code: 'E-77' }),
		/^Two-factor service: Odd \(E-77\)$/,
	],
	['no success at all', (response) => json(response, 200, { hello: 'world' }), /status 200/],
	['a list', (response) => json(response, 200, []), /status 200/],
	['null', (response) => json(response, 200, null), /status 200/],
	['a number', (response) => json(response, 200, 42), /status 200/],
	['success: 1', (response) => json(response, 200, { success: 1 }), /status 200/],
	['nothing', (response) => void response.writeHead(204).end(), /status 204/],
	[
		'a web page',
		(response) =>
			void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hi</html>'),
		/^The two-factor service answered with a web page \(status 200\)$/,
	],
	[
		'a web page with an error',
		(response) =>
			void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>'),
		/^The two-factor service answered with a web page \(status 502\)$/,
	],
	[
		'a 401 without words',
		(response) => json(response, 401, {}),
		/^The two-factor service answered with status 401$/,
	],
	[
		'a 401 that is a page',
		(response) => void response.writeHead(401).end('<h1>Unauthorized</h1>'),
		/web page \(status 401\)/,
	],
	[
		'errors that are not an object',
		(response) => json(response, 400, { success: false, errors: ['a', 'b'], message: { a: 1 } }),
		/^The two-factor service answered with status 400$/,
	],
];

describe.each(answers)('an answer of %s', (_, answer, words) => {
	it.each(operations)(
		'is an error of $resource $operation',
		async ({ resource, operation, parameters }) => {
			answering(answer);
			const { error, out } = await rig.node(resource, operation, {
				...parameters,
				options: { tries: 1 },
			});
			expect(out).toEqual([]);
			expect(error?.message).toMatch(words);
			expect(adviceOf(error)).not.toBe('undefined');
		},
	);
});

describe('nobody gets in by a success that is not about the code', () => {
	it.each([
		{ success: true },
		{ success: 'true', message: 'SMS token was sent' },
		{ success: true, token: 'was sent' },
		{ success: true, token: true },
		{ success: true, token: 'is invalid' },
	])('%j', async (body) => {
		answering((response) => json(response, 200, body));
		const { error, out } = await rig.node('oneTimeCode', 'verify', {
			twofactorId: DEMO_ID,
			code: '1234567',
		});
		expect(out).toEqual([]);
		expect(error?.message).toBe("The two-factor service didn't say whether the code is valid");
	});
});

describe('secrets', () => {
	const echo = (response: ServerResponse, url: string, body: string, headers: object) =>
		json(response, 400, {
			message: `${url} ${body} ${JSON.stringify(headers)}`,
			success: false,
			error_code: '60004',
		});

	it.each<[string, string, object, string]>([
		['oneTimeCode', 'verify', { twofactorId: '1', code: '482 91-37' }, '4829137'],
		['phoneVerification', 'check', { phoneNumber: DEMO_PHONE, code: '48 29 13' }, '482913'],
		[
			'phoneVerification',
			'start',
			{ phoneNumber: DEMO_PHONE, options: { customCode: 'GA TE 77' } },
			'GATE77',
		],
	])(
		'%s %s keeps the code and the key out of errors',
		async (resource, operation, parameters, code) => {
			server.answer(({ url, body, headers }, response) => echo(response, url, body, headers));
			rig.withCredential({ baseUrl: server.url, apiKey: 'sk-live-9999' });
			const done = await rig.node(resource, operation, parameters, [{}], {
				onError: 'continueErrorOutput',
			});
			expect(done.failed).toHaveLength(1);
			const shown = JSON.stringify(done.failed);
			expect(server.received[0]!.url + server.received[0]!.body).toContain(code);
			expect(shown).toContain('•••');
			expect(shown).not.toContain(code);
			expect(shown).not.toContain('sk-live-9999');
		},
	);
});

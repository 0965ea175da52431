// Protects users from unclear responses: none is a success of any operation, and no error shows a code or the API key.
import type { ServerResponse } from 'node:http';

import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { adviceOf, DEMO_PHONE, useTwoFactorRig } from './twoFactorRig';
import { operations } from './twoFactorRows';

const rig = useTwoFactorRig();
let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

/** Makes the service respond with this function from now on. */
const serveWith = (respond: (response: ServerResponse) => void) => {
	server.respondWith((_, response) => respond(response));
	rig.changeCredential({ baseUrl: server.url });
};

/** Code checks say that the code is unclear; other operations name the status. */
const UNCLEAR = /status 200|didn't say whether the code is valid/;

/** Name, response and expected error of responses that are an error for every operation. */
const failures: Array<[string, (response: ServerResponse) => void, RegExp]> = [
	[
		'success: "false"',
		(response) => sendJson(response, 200, { success: 'false', message: 'It did not work' }),
		/^Two-factor service: It did not work$/,
	],
	[
		'success: false with an unknown code',
		(response) => sendJson(response, 200, { success: false, message: 'Odd', error_code: '69999' }),
		/^Two-factor service: Odd \(69999\)$/,
	],
	['no success field', (response) => sendJson(response, 200, { hello: 'world' }), UNCLEAR],
	['null', (response) => sendJson(response, 200, null), UNCLEAR],
	['a number', (response) => sendJson(response, 200, 42), UNCLEAR],
	['success: 1', (response) => sendJson(response, 200, { success: 1 }), UNCLEAR],
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
		'a 401 with an empty object',
		(response) => sendJson(response, 401, {}),
		/^The two-factor service answered with status 401$/,
	],
	[
		'a 401 with a web page',
		(response) => void response.writeHead(401).end('<h1>Unauthorized</h1>'),
		/web page \(status 401\)/,
	],
	[
		'errors that are not an object',
		(response) =>
			sendJson(response, 400, { success: false, errors: ['a', 'b'], message: { a: 1 } }),
		/^Two-factor service: a; b$/,
	],
];

describe.each(failures)('a response of %s', (_, respond, expectedMessage) => {
	it.each(operations)(
		'is an error of $resource $operation',
		async ({ resource, operation, parameters }) => {
			serveWith(respond);
			const { error, outputItems } = await rig.operate(resource, operation, {
				...parameters,
				options: { tries: 1 },
			});
			expect(outputItems).toEqual([]);
			expect(error?.message).toMatch(expectedMessage);
			expect(adviceOf(error)).not.toBe('undefined');
		},
	);
});

describe('secrets in errors', () => {
	/** Responds with an error that repeats the whole request. */
	const echoRequest = (response: ServerResponse, url: string, body: string, headers: object) =>
		sendJson(response, 400, {
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
		'the error of %s %s contains neither the code nor the API key',
		async (resource, operation, parameters, code) => {
			server.respondWith(({ url, body, headers }, response) =>
				echoRequest(response, url, body, headers),
			);
			rig.changeCredential({ baseUrl: server.url, apiKey: 'sk-live-9999' });
			const { errorItems } = await rig.operate(resource, operation, parameters, [{}], {
				onError: 'continueErrorOutput',
			});
			expect(errorItems).toHaveLength(1);
			const shownErrors = JSON.stringify(errorItems);
			expect(server.requests[0]!.url + server.requests[0]!.body).toContain(code);
			expect(shownErrors).toContain('•••');
			expect(shownErrors).not.toContain(code);
			expect(shownErrors).not.toContain('sk-live-9999');
		},
	);
});

/**
 * Protects keys, codes and tokens: after a failure of a service, no error, execution or log shows them.
 *
 * n8n must be loaded again here, with its log turned on.
 * @jest-environment node
 */
import type { INodeParameters } from 'n8n-workflow';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';

import { locateById } from '../support/locators';
import { packServices } from '../support/pack';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { encodedForms, secretEncodings } from '../support/secretEncodings';
import { shareOf } from '../support/share';
import { sendJson, startToyServer } from '../support/toy';
import type { ReceivedRequest, ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';
import type { NodeKit } from '../support/workflow';
import { log } from './consoleLog';

const SECRET = 'S3CR3T-v4lue-424242';
const CODE = '8421357';
const TOKEN = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJzZWNyZXQifQ.c2lnbmVkLXNlY3JldA';
const FINGERPRINT = 'A'.repeat(42) + 'E';
const KEY = 'sk-live-K3Y-777777';

/** Operations with a secret parameter, by node. The key in the credential is a secret in each operation. */
const secretParametersByNode: Record<string, INodeParameters[]> = {
	passwordlessIdentity: [
		{ resource: 'key', operation: 'revoke', fingerprint: FINGERPRINT, secret: SECRET },
		{ resource: 'key', operation: 'register' },
		{ resource: 'key', operation: 'register', useToken: true, token: TOKEN },
		{ resource: 'scopeJob', operation: 'confirm', job: 'Zk3fT9aQw1LmX7cVb2Ns', code: CODE },
		{ resource: 'scopeJob', operation: 'issue', subject: FINGERPRINT, scope: ['email'] },
	],
	twoFactor: [
		{ resource: 'oneTimeCode', operation: 'verify', twofactorId: '100001', code: CODE },
		{
			resource: 'phoneVerification',
			operation: 'check',
			phoneNumber: '+12025550143',
			code: CODE,
		},
		{ resource: 'application', operation: 'getDetails' },
	],
	eventData: [
		{ resource: 'event', operation: 'getMany' },
		{ resource: 'event', operation: 'get', eventId: locateById('evt_1') },
	],
	eventRegistration: [
		{ resource: 'event', operation: 'getMany' },
		{ resource: 'contactList', operation: 'create', name: 'Speakers' },
	],
};

/** Returns the request as text, for failures whose response contains the request. */
const echo = ({ url, headers, body }: ReceivedRequest) =>
	`${url} ${JSON.stringify(headers)} ${body}`;
/** The ways in which a service can fail. */
const failures: Record<string, (request: ReceivedRequest, response: ServerResponse) => void> = {
	'400 that echoes the request': (request, response) =>
		sendJson(response, 400, {
			message: echo(request),
			Message: echo(request),
			detail: echo(request),
			success: false,
		}),
	'400 that echoes the request in other encodings': (request, response) => {
		const message = Object.values(secretEncodings)
			.map((encode) => encode(echo(request)))
			.join(' and ');
		sendJson(response, 400, { message, Message: message, detail: message, success: false });
	},
	'401': (request, response) =>
		sendJson(response, 401, { message: echo(request), error_code: '60001' }),
	'404': (request, response) =>
		sendJson(response, 404, { message: echo(request), title: echo(request) }),
	'429': (request, response) =>
		sendJson(response, 429, { message: echo(request) }, { 'retry-after': '9999' }),
	'500': (request, response) => sendJson(response, 500, { message: echo(request) }),
	'a dropped connection': (_, response) => response.destroy(),
	'a timeout': () => undefined,
	'a redirect that echoes the request': (request, response) => {
		response.writeHead(307, { location: `http://127.0.0.1:1${request.url}` });
		response.end();
	},
	'a web page that echoes the request': (request, response) => {
		response.writeHead(200, { 'content-type': 'text/html' });
		response.end(`<html>${echo(request)}</html>`);
	},
	'a truncated response': (request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(`{"message": "${request.headers['x-api-key']}`);
	},
};

let server: ToyServer;
let rig: Rig;
beforeAll(async () => {
	server = await startToyServer();
	rig = await openRig();
});
afterAll(async () => {
	jest.restoreAllMocks();
	await server.close();
	await rig.close();
});

const failureCases = packServices.flatMap(({ Node, service }) => {
	const { name } = new Node().description;
	return (secretParametersByNode[name] ?? []).flatMap((parameters, row) =>
		shareOf(Object.keys(failures), row, 2).map((failure) => ({
			name,
			service,
			parameters,
			failure,
			label: `${name} ${parameters.resource}:${parameters.operation}`,
		})),
	);
});

it('every node has a case', () => {
	expect(Object.keys(secretParametersByNode).sort()).toEqual(
		packServices.map(({ Node }) => new Node().description.name).sort(),
	);
});

it.each(failureCases)(
	'$label shows no secret after $failure',
	async ({ name, service, parameters, failure }) => {
		server.respondWith(failures[failure]!);
		log.length = 0;
		const kit = createFailingKit(service.credentialType);
		const runAndCheck = async (onError?: 'continueErrorOutput') => {
			const { run, error } = await runNode(
				kit,
				name,
				{ ...parameters, options: { ...(parameters.options as object), tries: 1, timeLimit: 1 } },
				[{}],
				{ onError },
			);
			const visibleText = [
				error?.message,
				error?.stack,
				(error as { description?: string } | undefined)?.description,
				inspect(error, { depth: Infinity, showHidden: true }),
				// The workflow contains the user's own input; only the node's result is checked.
				JSON.stringify(run.data.resultData.runData.Node),
				inspect(run.data.resultData.runData.Node, { depth: Infinity, showHidden: true }),
				JSON.stringify(run.data.resultData.error),
				...log,
			].join('\n');
			// Otherwise the response contained no secret, or the log was not captured.
			if (failure.startsWith('400')) expect(visibleText).toContain('•••');
			if (!onError) expect(log.join('')).toContain(error!.message.slice(0, 40));
			for (const secret of [
				KEY,
				SECRET,
				CODE,
				TOKEN,
				...secretPartsOf(`${kit.credentialData[service.credentialType]!.privateKey ?? ''}`),
			]) {
				// Parts of base64 with fewer characters may be in the text by chance.
				const forms = encodedForms(secret).filter(({ length }) => length >= 8);
				for (const form of [secret, ...forms]) {
					const index = visibleText.indexOf(form);
					expect(index < 0 ? '' : visibleText.slice(Math.max(0, index - 200), index + 40)).toBe('');
				}
			}
		};
		// Both checks run at once, since a timeout takes a real second.
		await Promise.all([runAndCheck(), runAndCheck('continueErrorOutput')]);
	},
);

/** Returns the kit of the sandbox with the URL of the failing server and a known key in one credential. */
function createFailingKit(credential: string): NodeKit {
	const { nodes, credentials, credentialData } = rig.kit;
	const failingCredential = { ...credentialData[credential], baseUrl: server.url, apiKey: KEY };
	return {
		nodes,
		credentials,
		credentialData: { ...credentialData, [credential]: failingCredential },
	};
}

/** Returns a secret part of a private key in PEM form, or no part if there is no key. */
const secretPartsOf = (pem: string): string[] => (pem ? [pem.split('\n')[1]!.slice(-24)] : []);

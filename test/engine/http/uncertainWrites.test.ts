// Protects people from repeated effects: after an uncertain response, the error says that the message may have gone out.
import type { ServerResponse } from 'node:http';

import { operation } from '../../../nodes/engine/operation';
import type { Catalog } from '../../../nodes/engine/operation';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

const sms = operation({
	...operationTexts,
	request: 'POST /sms',
	fields: {},
	effect: 'the message went out',
});

/** A service with rejections in success responses, a permanent error and an uncertain response. */
const service: Catalog = {
	...toyService({ sms }),
	isFailure: ({ body }) => (body as { ok?: boolean } | undefined)?.ok !== true,
	explain: ({ body }) => {
		const { message, ok, gone } = (body ?? {}) as Record<string, unknown>;
		return {
			message: message as string,
			isPermanent: gone === true,
			isUncertain: ok === undefined,
		};
	},
};

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

const runAndReadAdvice = async (
	respond: (response: ServerResponse, count: number) => void,
	requests = 1,
) => {
	server.respondWith((_, response, count) => respond(response, count));
	const { error } = await runNode(toyKit(service, server.url), 'toy', {
		resource: 'thing',
		operation: 'sms',
	});
	expect(server.requests).toHaveLength(requests);
	return `${(error as { description?: string }).description}`;
};
const UNKNOWN_EFFECT = "It's unclear whether the message went out, so the request wasn't retried";

describe('the error of an operation with an effect', () => {
	it.each<[string, (response: ServerResponse) => void]>([
		[
			'a failure of the service',
			(response) => sendJson(response, 500, { message: 'Oops', ok: false }),
		],
		['a lost connection', (response) => void response.destroy()],
		['a response that neither confirms nor rejects', (response) => sendJson(response, 200, {})],
		['a truncated response', (response) => void response.writeHead(200).end('{"ok": tr')],
		['an empty response', (response) => void response.writeHead(204).end()],
	])('says after %s that the effect is unknown', async (_, respond) => {
		expect(await runAndReadAdvice(respond)).toContain(UNKNOWN_EFFECT);
	});

	it.each<[string, (response: ServerResponse) => void]>([
		['a rejection with a success status', (response) => sendJson(response, 200, { ok: false })],
		['a rejection', (response) => sendJson(response, 400, { message: 'Bad' })],
		[
			'a permanent error, whatever its status',
			(response) => sendJson(response, 503, { message: 'Closed', ok: false, gone: true }),
		],
	])('does not say after %s that the effect is unknown', async (_, respond) => {
		expect(await runAndReadAdvice(respond)).not.toMatch(/unclear|not known/);
	});

	it('counts a retry that happened before the response was lost', async () => {
		const advice = await runAndReadAdvice((response, count) => {
			if (count > 1) response.destroy();
			else sendJson(response, 429, { message: 'Wait' }, { 'retry-after': '0' });
		}, 2);
		expect(advice).toContain("It was tried 2 times. It's unclear whether the message went out");
		expect(advice).toContain("so it wasn't tried again");
	});
});

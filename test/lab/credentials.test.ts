// Protects users of the lab: n8n has the credential of each service, and their own credentials stay as they are.
import axios from 'axios';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import services from '../../contracts/services.json';
import { ensureCredentials } from '../../lab/credentials';
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { sendJson, startToyServer } from '../support/toy';
import type { ToyServer } from '../support/toy';

let sandbox: Sandbox;
let n8n: ToyServer;
beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 1 });
	n8n = await startToyServer();
});
afterAll(async () => {
	await n8n.close();
	await sandbox.close();
});

const serviceRows = Object.values(services);

/** The people with a phone in the sandbox, as a credential names them. */
const DEMO_PEOPLE =
	'Robin Castellan, 100001\nMorgan Ellery, 100003\nFrances Okoye, 100004\nDana Whitlock, 100005';

/** Requests to n8n other than reads. */
const listWrites = () =>
	n8n.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, url, body }) => ({ method, url, ...(JSON.parse(body) as object) }));

it('the lab creates a credential for each service with the values that the sandbox requires', async () => {
	n8n.respondWith(({ method }, response) =>
		sendJson(response, 200, { data: method === 'GET' ? [] : { id: 'new' } }),
	);
	const credentialIds = await ensureCredentials(axios.create({ baseURL: n8n.url }), sandbox);
	expect(listWrites()).toEqual(
		serviceRows.map(({ title, credential }) => ({
			method: 'POST',
			url: '/credentials',
			name: `${title} (sandbox)`,
			type: credential,
			data: {
				...sandbox.credentials[credential],
				...(credential === 'twoFactorApi' && { people: DEMO_PEOPLE }),
			},
		})),
	);
	expect(credentialIds.map(({ type }) => type)).toEqual(
		serviceRows.map(({ credential }) => credential),
	);
	for (const { sandbox: servicePath, credential } of serviceRows) {
		expect(sandbox.credentials[credential]!.baseUrl).toBe(sandbox.url + servicePath);
	}
});

it('the lab updates its credentials of an earlier start, and does not change others', async () => {
	const [{ title, credential: type }] = serviceRows as [(typeof serviceRows)[number]];
	const existingCredentials = [
		{ id: 'theirs', name: 'My own', type },
		{ id: 'ours', name: `${title} (sandbox)`, type },
	];
	n8n.respondWith(({ method }, response) =>
		sendJson(response, 200, { data: method === 'GET' ? existingCredentials : { id: 'x' } }),
	);
	await ensureCredentials(axios.create({ baseURL: n8n.url }), sandbox);
	expect(listWrites().map(({ method, url }) => `${method} ${url}`)).toEqual([
		'PATCH /credentials/ours',
		...serviceRows.slice(1).map(() => 'POST /credentials'),
	]);
});

it('the lab gives credentials the names that the examples use', () => {
	const folder = path.join(__dirname, '../../examples');
	const namesInExamples = readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.flatMap((file) =>
			[
				...readFileSync(path.join(folder, file), 'utf8').matchAll(/"name": "(.+ \(sandbox\))"/g),
			].map(([, name]) => name!),
		);
	expect(namesInExamples).not.toEqual([]);
	const namesInLab = serviceRows.map(({ title }) => `${title} (sandbox)`);
	expect(namesInExamples.filter((name) => !namesInLab.includes(name))).toEqual([]);
});

// Protects users of the lab: pack, credentials and examples work, data survives a kill, and only this computer has access.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import services from '../../contracts/services.json';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { fetchLoadedNodes } from '../../lab/registerPack';
import { unwrap } from '../../lab/rest';
import { createWorkflow, importExamples } from '../../lab/workflows';

const pack = 'n8n-nodes-gatehouse';

describe('the lab', () => {
	let userFolder: string;
	let examples: string;
	let lab: Lab;

	const manualTrigger = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
	const scheduleTrigger = {
		name: 'Nightly',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: { rule: { interval: [{ field: 'days' }] } },
	};
	const createNode = (fields: object, index: number) => ({
		id: `0000000${index}-0000-4000-8000-000000000000`,
		position: [index * 200, 0],
		parameters: {},
		...fields,
	});
	const buildExample = (name: string, ...nodes: object[]) =>
		JSON.stringify({ name, nodes: nodes.map(createNode), connections: {}, settings: {} });

	const listWorkflowNames = async () =>
		(
			(await lab.rest.get('/workflows')).data as { data: Array<{ name: string; active: boolean }> }
		).data
			.map(({ name }) => name)
			.sort();

	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-lab-'));
		examples = path.join(userFolder, 'examples');
		await mkdir(examples);
		await writeFile(
			path.join(examples, 'by-hand.json'),
			buildExample('By hand', manualTrigger, {
				name: 'Events',
				type: `${pack}.eventData`,
				typeVersion: 1,
				credentials: { eventDataApi: { id: 'of another n8n', name: 'mine' } },
			}),
		);
		await writeFile(
			path.join(examples, 'nightly.json'),
			buildExample('Every night', scheduleTrigger),
		);
		lab = await startLab({ userFolder, examples });
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	test('loads the packed pack under its own name and lists it as a community package', async () => {
		const manifest = JSON.parse(
			await readFile(
				path.join(userFolder, '.n8n/nodes/node_modules', pack, 'package.json'),
				'utf8',
			),
		) as Record<string, unknown>;
		expect(manifest).not.toHaveProperty('devDependencies');
		expect(manifest).not.toHaveProperty('peerDependencies');

		const nodes = (await fetchLoadedNodes(lab.rest, pack)).map(({ name }) => name);
		expect(nodes).toEqual(
			expect.arrayContaining(Object.keys(services).map((name) => `${pack}.${name}`)),
		);
		const [installed] = unwrap<Array<Record<string, unknown>>>(
			(await lab.rest.get('/community-packages')).data,
		);
		expect(installed).toMatchObject({
			packageName: pack,
			installedVersion: manifest.version,
			failedLoading: false,
		});
	});

	test('has a credential for each service that works with the sandbox', async () => {
		expect(lab.credentials.map(({ type }) => type)).toEqual(
			Object.values(services).map(({ credential }) => credential),
		);
		for (const { id, type } of lab.credentials) {
			const storedCredential = unwrap<object>(
				(await lab.rest.get(`/credentials/${id}`, { params: { includeData: true } })).data,
			);
			const { data } = await lab.rest.post('/credentials/test', { credentials: storedCredential });
			expect({ type, ...unwrap<object>(data) }).toMatchObject({ type, status: 'OK' });
		}
	});

	test('imports examples with the credentials of the lab and publishes those that have triggers', async () => {
		const byName = Object.fromEntries(lab.examples.map((workflow) => [workflow.name, workflow]));
		expect(byName['Every night']).toMatchObject({ active: true });
		expect(byName['By hand']).toMatchObject({ active: false });
		const storedWorkflow = unwrap<{ nodes: Array<{ name: string; credentials?: object }> }>(
			(await lab.rest.get(`/workflows/${byName['By hand']!.id}`)).data,
		);
		const labCredential = lab.credentials.find(({ type }) => type === 'eventDataApi')!;
		expect(storedWorkflow.nodes.find(({ name }) => name === 'Events')?.credentials).toEqual({
			eventDataApi: { id: labCredential.id, name: labCredential.name },
		});
	});

	test('listens on one loopback address only', async () => {
		const { port } = new URL(lab.n8nUrl);
		const tryToConnect = async (host: string) =>
			await new Promise<string>((resolve) => {
				const socket = connect({ host, port: Number(port) });
				socket.once('connect', () => {
					resolve('open');
					socket.destroy();
				});
				socket.once('error', ({ message }) => resolve(message));
			});
		expect(await tryToConnect('127.0.0.1')).toBe('open');
		// A server that listens on every address also listens on this one.
		expect(await tryToConnect('127.0.0.2')).toContain('ECONNREFUSED');
	});

	test('has its workflows and its port again after a kill', async () => {
		const { id } = await createWorkflow(
			lab.rest,
			JSON.parse(buildExample('Kept', manualTrigger)) as Parameters<typeof createWorkflow>[1],
			lab.credentials,
		);
		const pidBefore = lab.n8n.pid;
		await lab.restart({ kill: 'SIGKILL' });
		expect(lab.n8n.pid).not.toBe(pidBefore);
		expect(lab.n8n.url).toBe(lab.n8nUrl);
		const keptWorkflow = unwrap<object>((await lab.rest.get(`/workflows/${id}`)).data);
		expect(keptWorkflow).toMatchObject({ name: 'Kept' });
	});

	test('rejects a second lab in the same folder', async () => {
		await expect(startLab({ userFolder })).rejects.toThrow('n8n is already running at');
	});

	test('starts again with the same data, and points its credentials to the new sandbox', async () => {
		const names = await listWorkflowNames();
		const credentials = lab.credentials.map(({ id }) => id);
		await lab.stop();
		lab = await startLab({ userFolder, examples });
		expect(await listWorkflowNames()).toEqual(names);
		expect(lab.credentials.map(({ id }) => id)).toEqual(credentials);
		const { sandbox } = lab;
		expect(await importExamples(lab.rest, examples, lab.credentials, sandbox.url)).toHaveLength(2);
		expect(await listWorkflowNames()).toEqual(names);

		const { id } = lab.credentials.find(({ type }) => type === 'twoFactorApi')!;
		const { data } = unwrap<{ data: { baseUrl: string } }>(
			(await lab.rest.get(`/credentials/${id}`, { params: { includeData: true } })).data,
		);
		expect(data.baseUrl).toBe(lab.sandbox.addresses.twoFactor);
	});
});

// Protects contact lists from a kill of n8n during a Sync: the next run reaches the planned state, without duplicates.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Flow, waitFor } from '../../lab/drive/flows';
import { killAndRestart } from '../../lab/drive/triggerWorkflows';
import { killableEnv } from '../../lab/environment';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { locateById } from '../support/locators';
import { createServiceClient } from './examples/serviceClient';

type Operation = 'updateContact' | 'addContacts' | 'removeContact';

/** Longer than the test: such a request is never carried out. */
const NEVER_MS = 600_000;

const personAt = (index: number, organization: string) => ({
	Email: `person${index}@email.example`,
	FirstName: 'Ada',
	Organization: organization,
});
const peopleFrom = (from: number, to: number, organization: string) =>
	Array.from({ length: to - from }, (_, index) => personAt(from + index, organization));

/** The list has 50 people. The input lacks the first 5, has changed the other 45, and has 250 new ones. */
const LISTED = peopleFrom(0, 50, 'Before');
const WANTED = peopleFrom(5, 300, 'After');

describe('a Sync in a real n8n that is killed while it writes', () => {
	let userFolder: string;
	let lab: Lab;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-sync-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 1 }, env: killableEnv });
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	const split = {
		name: 'Split',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'body.people', options: { destinationFieldName: 'person' } },
	};
	const syncNode = (contactListId: number) => ({
		name: 'Sync',
		type: 'n8n-nodes-gatehouse.eventRegistration',
		credentials: { eventRegistrationApi: {} },
		parameters: {
			resource: 'contact',
			operation: 'sync',
			contactListId: locateById(contactListId),
			matchBy: 'Email',
			email: '={{ $json.person.Email }}',
			details: {
				mappingMode: 'defineBelow',
				value: {
					FirstName: '={{ $json.person.FirstName }}',
					Organization: '={{ $json.person.Organization }}',
				},
			},
			mode: 'apply',
			missing: 'remove',
			show: 'summary',
			options: {},
		},
	});

	test('reaches the planned state when it runs again, without duplicate contacts', async () => {
		const { sandbox } = lab;
		const { faultRules, requestLog } = sandbox;
		const serviceClient = createServiceClient(sandbox);
		const newList = await serviceClient.add('/contactlists', { Name: 'Members' });
		const contactsPath = `/contactlists/${newList.ContactListId as number}/contacts`;
		await serviceClient.add(contactsPath, LISTED);
		sandbox.clock.advance(5000);
		const flow = await Flow.open(lab, [split, syncNode(newList.ContactListId as number)]);
		const start = async () => await flow.start({ people: WANTED });
		const countRequests = (operation: Operation) =>
			requestLog.count('eventRegistration', operation);

		const readState = async () => {
			const records = await serviceClient.readAll(contactsPath);
			const emails = records.map(({ Email }) => Email as string);
			expect(new Set(emails).size).toBe(emails.length);
			const updatedRecords = records.filter(({ Organization }) => Organization === 'After');
			const isOld = ({ Email }: { Email?: unknown }) =>
				LISTED.some((person) => person.Email === Email);
			return {
				updated: updatedRecords.filter(isOld).length,
				created: updatedRecords.filter((record) => !isOld(record)).length,
				listed: records.length,
			};
		};

		/** Kills n8n once the service has answered some requests of a kind and received another one. */
		const killAfter = async (operation: Operation, answeredCount: number, delayMs = NEVER_MS) => {
			const countBefore = countRequests(operation);
			const rule = { service: 'eventRegistration', operation } as const;
			faultRules.add({ ...rule, kind: 'slow', delayMs: 0, times: answeredCount });
			faultRules.add({ ...rule, kind: delayMs === NEVER_MS ? 'drop' : 'slow', delayMs });
			const run = await start();
			await waitFor(60_000, async () =>
				countRequests(operation) > countBefore + answeredCount ? true : undefined,
			);
			await killAndRestart(lab);
			faultRules.clear('eventRegistration');
			expect(await run.status()).not.toBe('success');
		};

		await killAfter('updateContact', 8);
		expect(await readState()).toEqual({ updated: 8, created: 0, listed: 50 });

		// The service carries out the second batch although n8n was killed.
		await killAfter('addContacts', 1, 3000);
		const areAllAdded = async () => ((await readState()).created === 200 ? true : undefined);
		await waitFor(30_000, areAllAdded);
		expect(await readState()).toEqual({ updated: 45, created: 200, listed: 250 });

		await killAfter('removeContact', 2);
		expect(await readState()).toEqual({ updated: 45, created: 250, listed: 298 });

		const runAndReadSummary = async () =>
			(await (await start()).waitForStatus('success', 60_000)).items('Sync');
		expect(await runAndReadSummary()).toMatchObject([
			{ hasChanges: true, applied: true, counts: { unchanged: 295, removed: 3 } },
		]);
		expect(await readState()).toEqual({ updated: 45, created: 250, listed: 295 });

		const countWrites = () =>
			(['updateContact', 'addContacts', 'removeContact'] as const).map((operation) =>
				countRequests(operation),
			);
		const writesBefore = countWrites();
		expect(await runAndReadSummary()).toMatchObject([
			{ hasChanges: false, counts: { unchanged: 295 } },
		]);
		expect(countWrites()).toEqual(writesBefore);
	});
});

// Protects a trigger's saved state: parts that it does not recognize are set aside and reported once, and the rest is used.
import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval, createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { locateById } from '../../../support/locators';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 3 });
const client = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => await host.close());

const EVENT_ID = 'evt_1004';
const ONE_POLL_MS = 12_000;

/** Reads the trigger's state from the database. */
const readStoredState = () =>
	(JSON.parse(host.staticDataJson) as { global: Record<string, { setAside?: string[] }> }).global[
		'node-0'
	]!;
const writeStoredState = (state: unknown) => {
	host.staticDataJson = JSON.stringify({ global: { 'node-0': state } });
};
/** Restarts n8n twice, so that a report at each start would be seen twice. */
async function restartTwice(): Promise<void> {
	for (let restart = 0; restart < 2; restart++) {
		await host.start('init');
		await delay(ONE_POLL_MS);
		await host.restartProcess();
	}
}

/** Checks that the trigger set the part aside and reported it once, without the content of the stored state. */
function expectOneReport(rawPart: string): void {
	expect(host.failedExecutions).toHaveLength(1);
	expect(host.failedExecutions[0]).toMatchObject({
		message: expect.stringMatching(
			/^(One part|\d+ parts) of what this trigger had saved/,
		) as string,
		description: expect.stringContaining('setAside') as string,
	});
	expect(JSON.stringify(host.failedExecutions)).not.toContain('s3cret');
	expect(readStoredState().setAside).toContain(rawPart);
}

describe('a trigger that polls IDs', () => {
	const id = '00000000-0000-4000-8000-000000000001';
	const savedEntry = { id, addedAt: 1, polls: 2, submitted: true, data: { note: 's3cret' } };
	const entryJson = JSON.stringify(savedEntry);
	const state = { version: 1, ids: [entryJson], confirmedIds: [] };
	const truncatedJson = entryJson.slice(0, -9);

	const createIdTrigger = (parameters: IDataObject = {}) => {
		host = new TriggerHost(sandbox, [
			{
				type: 'twoFactorTrigger',
				parameters: {
					acceptNewIds: true,
					acceptFromAnybody: true,
					options: { checkEvery: 10 },
					...parameters,
				},
			},
		]);
	};

	it.each<[string, unknown, string]>([
		['a text', 's3cret', 's3cret'],
		['a number', 7, '7'],
		['a list', [entryJson], JSON.stringify([entryJson])],
		[
			'no version',
			{ ids: [entryJson], confirmedIds: [] },
			JSON.stringify({ ids: [savedEntry], confirmedIds: [] }),
		],
		[
			'a newer version',
			{ version: 2, watched: { [id]: 1 } },
			`{"version":2,"watched":{"${id}":1}}`,
		],
		['IDs that are not a list', { ...state, ids: { [id]: 1 } }, `{"ids":{"${id}":1}}`],
		['a truncated ID', { ...state, ids: [truncatedJson] }, truncatedJson],
		['a number in place of an ID', { ...state, ids: [5] }, '5'],
		[
			'an entry without an ID',
			{ ...state, ids: ['{"addedAt":1,"polls":2}'] },
			'{"addedAt":1,"polls":2}',
		],
		[
			'a subject that is not a text',
			{ ...state, ids: [JSON.stringify({ ...savedEntry, subject: 7 })] },
			JSON.stringify({ ...savedEntry, subject: 7 }),
		],
		[
			'an invalid end',
			{ ...state, ids: [JSON.stringify({ ...savedEntry, end: { outcome: 5 } })] },
			JSON.stringify({ ...savedEntry, end: { outcome: 5 } }),
		],
		[
			'a finished ID that is not a text',
			{ ...state, ids: [], confirmedIds: [id, 7] },
			'{"confirmedIds":[7]}',
		],
		[
			'finished IDs that are not a list',
			{ ...state, ids: [], confirmedIds: 'all' },
			'{"confirmedIds":"all"}',
		],
	])('sets aside unrecognized state (%s), and reports it once', async (_, storedState, rawPart) => {
		createIdTrigger();
		writeStoredState(storedState);
		await restartTwice();
		expectOneReport(rawPart);
	});

	it('continues with the valid parts of its state, and reports the IDs in the invalid parts', async () => {
		const [validId, invalidId] = (await createApprovals(client, 2)) as [string, string];
		const damaged = { ...savedEntry, id: 'lost-1', subject: 7 };
		createIdTrigger();
		writeStoredState({
			...state,
			ids: [
				JSON.stringify({ id: validId, addedAt: Date.now(), polls: 1, submitted: true }),
				JSON.stringify({ id: invalidId, addedAt: 'yesterday', polls: null, submitted: 'yes' }),
				JSON.stringify(damaged),
			],
			confirmedIds: ['done-1', null],
		});
		await host.start('init');
		for (const id of [validId, invalidId]) decideApproval(sandbox, id, 'approved');
		await waitUntil(() => host.executions.length === 2);
		expect([...host.startedItemsById().keys()].sort()).toEqual([validId, invalidId].sort());
		expect(host.failedExecutions).toMatchObject([
			{ message: expect.stringMatching(/^3 parts/) as string },
		]);
		expect(host.failedExecutions[0]).toMatchObject({
			description: expect.stringContaining(`${invalidId}, lost-1`) as string,
		});
		const { status, body } = await host.post({ ids: ['done-1'] });
		expect([status, body]).toMatchObject([200, { alreadyFinished: 1 }]);
		expect(readStoredState().setAside).toEqual([
			JSON.stringify({ id: invalidId, addedAt: 'yesterday', polls: null, submitted: 'yes' }),
			JSON.stringify(damaged),
			'{"confirmedIds":[null]}',
		]);
	});

	it('keeps the state that was set aside when the workflow is published again', async () => {
		createIdTrigger();
		writeStoredState({ version: 2 });
		await host.start('activate');
		await host.stop();
		await host.start('update', '{}');
		expect(readStoredState().setAside).toEqual(['{"version":2}']);
		expect(host.failedExecutions).toHaveLength(1);
	});

	it('sets aside unknown state in addition to the parts that are already set aside', async () => {
		createIdTrigger();
		writeStoredState({ version: 2, setAside: ['x'] });
		await host.start('init');
		expect(readStoredState().setAside).toEqual(['x', '{"version":2}']);
	});

	it('sets aside at most a million characters, and reports the number of dropped parts', async () => {
		createIdTrigger();
		const createLongEntry = (digit: number) => `{"id":${`${digit}`.repeat(600_000)}`;
		writeStoredState({ ...state, ids: [createLongEntry(1), createLongEntry(2)] });
		await host.start('init');
		expect(readStoredState().setAside).toEqual([createLongEntry(1)]);
		expect(host.failedExecutions).toMatchObject([
			{ description: expect.stringContaining('except 1 for which there is no room') as string },
		]);
	});
});

describe('a trigger that polls lists', () => {
	const createListTrigger = () => {
		host = new TriggerHost(sandbox, [
			{
				type: 'eventDataTrigger',
				parameters: {
					triggerOn: ['attendeeCreated'],
					eventId: locateById(EVENT_ID),
					options: { pollingInterval: 10 },
				},
			},
		]);
	};
	const addAttendee = async (firstName: string) =>
		await sandbox.control('eventData', 'addAttendee', {
			eventId: EVENT_ID,
			firstName,
			lastName: 'Lovelace',
			email: `${firstName.toLowerCase()}@email.example`,
		});
	const state = { version: 1, saves: 1, activatedAt: 1, lists: [], pendingStarts: [] };
	const savedList = { key: 'k', cursor: 5, followedSince: 1, known: [] };
	const toJson = (value: unknown) => JSON.stringify(value);

	it.each<[string, unknown, string]>([
		['a text', 's3cret', 's3cret'],
		['a newer version', { version: 2, lists: [] }, '{"version":2,"lists":[]}'],
		[
			'an invalid activation time',
			{ ...state, activatedAt: 'x' },
			toJson({ ...state, activatedAt: 'x' }),
		],
		['lists that are not a list', { ...state, lists: { k: 1 } }, '{"lists":{"k":1}}'],
		['a truncated list', { ...state, lists: ['{"key":"k'] }, '{"key":"k'],
		[
			'a list with an invalid cursor',
			{ ...state, lists: [toJson({ ...savedList, cursor: 'x' })] },
			toJson({ ...savedList, cursor: 'x' }),
		],
		[
			'invalid records',
			{ ...state, lists: [toJson({ ...savedList, known: [[1, 'x:y z']] })] },
			'{"key":"k","known":[[1,"x:y z"]]}',
		],
		['an invalid pending start', { ...state, pendingStarts: ['{"key":"k"}'] }, '{"key":"k"}'],
		['pending starts that are not a list', { ...state, pendingStarts: 7 }, '{"pendingStarts":7}'],
	])('sets aside unrecognized state (%s), and reports it once', async (_, storedState, rawPart) => {
		createListTrigger();
		writeStoredState(storedState);
		await restartTwice();
		expectOneReport(rawPart);
	});

	it('starts the workflow for changes after it set aside its whole state, and for none before', async () => {
		await addAttendee('Ada');
		// The Date header has whole seconds: a record from the second in which following begins can count as new.
		await delay(1000);
		createListTrigger();
		writeStoredState({ version: 2 });
		await host.start('init');
		await addAttendee('Grace');
		await waitUntil(() => host.executions.length === 1);
		await delay(ONE_POLL_MS);
		expect(host.executions.map(({ item }) => item.firstName)).toEqual(['Grace']);
	});
});

import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval, createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';
import { locateById } from '../support/listTrigger';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 3 });
const client = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => await host.close());

const EVENT = 'evt_1004';
const ONE_POLL_MS = 12_000;

/** Reads the trigger's state from the database. */
const readStoredState = () =>
	(JSON.parse(host.staticDataJson) as { global: Record<string, { setAside?: string[] }> }).global[
		'node-0'
	]!;
const writeStoredState = (state: unknown) => {
	host.staticDataJson = JSON.stringify({ global: { 'node-0': state } });
};
/** Restarts n8n twice, so that a report at each start is seen twice. */
async function restartTwice(): Promise<void> {
	for (let restart = 0; restart < 2; restart++) {
		await host.start('init');
		await delay(ONE_POLL_MS);
		await host.restartProcess();
	}
}

function expectReport(raw: string): void {
	expect(host.failedExecutions).toHaveLength(1);
	expect(host.failedExecutions[0]).toMatchObject({
		message: expect.stringMatching(
			/^(One part|\d+ parts) of what this trigger had saved/,
		) as string,
		description: expect.stringContaining('setAside') as string,
	});
	expect(JSON.stringify(host.failedExecutions)).not.toContain('s3cret');
	expect(readStoredState().setAside).toContain(raw);
}

describe('a trigger that polls IDs', () => {
	const id = '00000000-0000-4000-8000-000000000001';
	const entry = { id, addedAt: 1, polls: 2, submitted: true, data: { note: 's3cret' } };
	const text = JSON.stringify(entry);
	const state = { version: 1, ids: [text], confirmedIds: [] };
	const truncatedText = text.slice(0, -9);

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
		['a list', [text], JSON.stringify([text])],
		[
			'without a version',
			{ ids: [text], confirmedIds: [] },
			JSON.stringify({ ids: [entry], confirmedIds: [] }),
		],
		[
			'of a newer version',
			{ version: 2, watched: { [id]: 1 } },
			`{"version":2,"watched":{"${id}":1}}`,
		],
		['with IDs that are no list', { ...state, ids: { [id]: 1 } }, `{"ids":{"${id}":1}}`],
		['with an ID that is cut off', { ...state, ids: [truncatedText] }, truncatedText],
		['with an ID that is a number', { ...state, ids: [5] }, '5'],
		[
			'with an ID that has none',
			{ ...state, ids: ['{"addedAt":1,"polls":2}'] },
			'{"addedAt":1,"polls":2}',
		],
		[
			'with a subject that is no text',
			{ ...state, ids: [JSON.stringify({ ...entry, subject: 7 })] },
			JSON.stringify({ ...entry, subject: 7 }),
		],
		[
			'with an end that is no end',
			{ ...state, ids: [JSON.stringify({ ...entry, end: { outcome: 5 } })] },
			JSON.stringify({ ...entry, end: { outcome: 5 } }),
		],
		[
			'with finished IDs that are no texts',
			{ ...state, ids: [], confirmedIds: [id, 7] },
			'{"confirmedIds":[7]}',
		],
		[
			'with finished IDs that are no list',
			{ ...state, ids: [], confirmedIds: 'all' },
			'{"confirmedIds":"all"}',
		],
	])('sets aside state that is %s, and reports it once', async (_, storedState, raw) => {
		createIdTrigger();
		writeStoredState(storedState);
		await restartTwice();
		expectReport(raw);
	});

	it('continues with the valid state, and names the IDs in the rest', async () => {
		const [validId, invalidId] = (await createApprovals(client, 2)) as [string, string];
		const damaged = { ...entry, id: 'lost-1', subject: 7 };
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

	it('sets unknown state aside without what is already set aside', async () => {
		createIdTrigger();
		writeStoredState({ version: 2, setAside: ['x'] });
		await host.start('init');
		expect(readStoredState().setAside).toEqual(['x', '{"version":2}']);
	});

	it('sets aside a million characters at most, and reports how many it did not keep', async () => {
		createIdTrigger();
		const longText = (digit: number) => `{"id":${`${digit}`.repeat(600_000)}`;
		writeStoredState({ ...state, ids: [longText(1), longText(2)] });
		await host.start('init');
		expect(readStoredState().setAside).toEqual([longText(1)]);
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
					eventId: locateById(EVENT),
					options: { pollingInterval: 10 },
				},
			},
		]);
	};
	const addRegistration = async (firstName: string) =>
		await sandbox.control('eventData', 'addAttendee', {
			eventId: EVENT,
			firstName,
			lastName: 'Lovelace',
			email: `${firstName.toLowerCase()}@email.example`,
		});
	const state = { version: 1, saves: 1, activatedAt: 1, lists: [], pendingStarts: [] };
	const list = { key: 'k', cursor: 5, followedSince: 1, known: [] };
	const asText = (value: unknown) => JSON.stringify(value);

	it.each<[string, unknown, string]>([
		['a text', 's3cret', 's3cret'],
		['of a newer version', { version: 2, lists: [] }, '{"version":2,"lists":[]}'],
		[
			'without the time of its activation',
			{ ...state, activatedAt: 'x' },
			asText({ ...state, activatedAt: 'x' }),
		],
		['with lists that are none', { ...state, lists: { k: 1 } }, '{"lists":{"k":1}}'],
		['with a list that is cut off', { ...state, lists: ['{"key":"k'] }, '{"key":"k'],
		[
			'with a list that has no time',
			{ ...state, lists: [asText({ ...list, cursor: 'x' })] },
			asText({ ...list, cursor: 'x' }),
		],
		[
			'with records that are none',
			{ ...state, lists: [asText({ ...list, known: [[1, 'x:y z']] })] },
			'{"key":"k","known":[[1,"x:y z"]]}',
		],
		['with a start that is none', { ...state, pendingStarts: ['{"key":"k"}'] }, '{"key":"k"}'],
		['with starts that are none', { ...state, pendingStarts: 7 }, '{"pendingStarts":7}'],
	])('sets aside state that is %s, and reports it once', async (_, storedState, raw) => {
		createListTrigger();
		writeStoredState(storedState);
		await restartTwice();
		expectReport(raw);
	});

	it('starts the workflow for each change after that, and for none before', async () => {
		await addRegistration('Ada');
		// The Date header has whole seconds: a record from the second in which following begins can count as new.
		await delay(1000);
		createListTrigger();
		writeStoredState({ version: 2 });
		await host.start('init');
		await addRegistration('Grace');
		await waitUntil(() => host.executions.length === 1);
		await delay(ONE_POLL_MS);
		expect(host.executions.map(({ item }) => item.firstName)).toEqual(['Grace']);
	});
});

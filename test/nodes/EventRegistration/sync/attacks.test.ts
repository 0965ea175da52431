// Protects contact lists from simultaneous changes and rejected credentials: Sync adds no contact twice, and stops in time.
import { ServiceFailure } from '../../../../nodes/engine/errors';
import type { PlannedRow } from '../../../../nodes/EventRegistration/contact/sync/types';
import { WriteResults } from '../../../../nodes/EventRegistration/contact/sync/writeResults';
import type { FaultDecision } from './faultProxy';
import { applyMode, readChanges, makePeople, errorOutput, makePerson } from './people';
import { useSync } from './syncRig';

const { rig, proxy, createList, readContacts, performAction, countRequests, sync, countWrites } =
	useSync();

const deleteList = async (listId: number) => {
	const { apiKey = '', headerName = '' } = rig.sandbox.credentials.eventRegistrationApi!;
	const url = `${rig.sandbox.addresses.eventRegistration}/api/v1/contactlists/${listId}`;
	const { ok } = await fetch(url, { method: 'DELETE', headers: { [headerName]: apiKey } });
	expect(ok).toBe(true);
};
const nodeSettings = [{}, { onError: 'continueRegularOutput' }, errorOutput] as const;

it('two simultaneous Syncs of a list add no contact twice', async () => {
	const listId = await createList();
	let release: () => void = () => undefined;
	const released = new Promise<void>((resolve) => (release = resolve));
	let reportAdding: () => void = () => undefined;
	const addingStarted = new Promise<void>((resolve) => (reportAdding = resolve));
	proxy.decide(async ({ method }): Promise<FaultDecision> => {
		if (method !== 'POST') return 'pass';
		reportAdding();
		await released;
		return 'pass';
	});
	const firstSync = sync(listId, [makePerson('ada')], applyMode);
	await addingStarted;
	const secondSync = sync(listId, [makePerson('ada')], applyMode);
	release();
	const results = await Promise.all([firstSync, secondSync]);
	expect(results.map(({ outputItems }) => outputItems.map(({ change }) => change))).toEqual([
		['created'],
		['unchanged'],
	]);
	expect(await readContacts(listId)).toHaveLength(1);
});

it('a contact that another user removes just before Sync removes it counts as removed', async () => {
	const listId = await createList([makePerson('ada'), makePerson('bob')]);
	proxy.decide(({ method, path }) => {
		const contactId = Number(/\/contacts\/(\d+)$/.exec(path)?.[1]);
		if (method === 'DELETE') performAction('removeContact', { contactListId: listId, contactId });
		return 'pass';
	});
	const { outputItems, error } = await sync(listId, [makePerson('ada')], {
		...applyMode,
		missing: 'remove',
	});
	expect(error).toBeUndefined();
	expect(readChanges(outputItems)).toEqual([
		['unchanged', false],
		['removed', true],
	]);
	expect(countRequests('removeContact')).toBe(1);
});

describe.each(nodeSettings)('Sync with the node settings %j', (node) => {
	it('a rejected credential stops Sync after the first rejected write', async () => {
		const people = makePeople(30);
		const listId = await createList([...people, makePerson('old')]);
		const sentMethods: string[] = [];
		proxy.decide(({ method }) => {
			if (method !== 'GET') {
				sentMethods.push(method);
				rig.sandbox.settings.eventRegistration.headerName = 'X-Renamed';
			}
			return 'pass';
		});
		const input = [...people.map((row) => ({ ...row, Phone: '1' })), makePerson('new')];
		const { outputItems, error } = await sync(
			listId,
			input,
			{ ...applyMode, missing: 'remove' },
			node,
		);
		if (!('onError' in node)) expect(error?.message).toMatch(/^Sync stopped after 0 changed/);
		expect(outputItems.filter(({ applied }) => applied === true)).toEqual([]);
		expect(sentMethods).toEqual(['PATCH']);
	});

	it.each([
		['a change limit', { maxChanges: '1' }],
		[
			'an expected plan that differs',
			{ expectedPlan: `2026-05-01T12:00:00.000Z_${'a'.repeat(32)}` },
		],
	])('%s stops Sync before the first write', async (_, options) => {
		const listId = await createList([makePerson('ada')]);
		const people = [makePerson('bob'), makePerson('cem')];
		const { outputItems, errorItems, error } = await sync(
			listId,
			people,
			{ ...applyMode, options },
			node,
		);
		expect(countWrites()).toEqual([0, 0, 0]);
		expect(
			// Some messages begin with "Nothing was", others contain "nothing was".
			[...outputItems, ...errorItems].every((item) => JSON.stringify(item).includes('othing was')),
		).toBe(true);
		expect([outputItems.length, errorItems.length, error === undefined]).toEqual(
			node === errorOutput ? [0, 2, true] : 'onError' in node ? [2, 0, true] : [0, 0, false],
		);
	});

	it('a list that is deleted after it was read stops Sync before the first write', async () => {
		const people = makePeople(25);
		const listId = await createList(people);
		const sentMethods: string[] = [];
		proxy.decide(async ({ number, method }): Promise<FaultDecision> => {
			if (method !== 'GET') sentMethods.push(method);
			// The first four requests read the form, the list, a page and the list again.
			if (number === 5) await deleteList(listId);
			return 'pass';
		});
		const input = [...people.map((row) => ({ ...row, Phone: '1' })), makePerson('new')];
		const { outputItems, error } = await sync(listId, input, applyMode, node);
		expect(outputItems.filter(({ applied }) => applied !== undefined)).toEqual([]);
		expect(error === undefined).toBe('onError' in node);
		expect(sentMethods).toEqual([]);
	});
});

it.each([true, false])(
	'an unreachable service stops Sync, with and without On Error (continues: %j)',
	(continues) => {
		const writeResults = new WriteResults(continues);
		const row: PlannedRow = { row: { index: 0, key: 'a', values: [] }, change: 'unchanged' };
		writeResults.recordFailureOfSentWrite(
			row,
			new ServiceFailure('Not there', { code: 'UNREACHABLE' }),
		);
		expect(writeResults.isStopped).toBe(true);
	},
);

import { ServiceFailure } from '../../../../nodes/engine/errors';
import type { PlannedRow } from '../../../../nodes/EventRegistration/contact/sync/types';
import { WriteResults } from '../../../../nodes/EventRegistration/contact/sync/writeResults';
import type { FaultDecision } from './faultProxy';
import { apply, changesIn, makePeople, onError, person } from './people';
import { useSync } from './syncRig';

const { rig, proxy, list, contacts, control, count, sync, writes } = useSync();

const deleteList = async (listId: number) => {
	const { apiKey = '', headerName = '' } = rig.sandbox.credentials.eventRegistrationApi!;
	const url = `${rig.sandbox.addresses.eventRegistration}/api/v1/contactlists/${listId}`;
	const { ok } = await fetch(url, { method: 'DELETE', headers: { [headerName]: apiKey } });
	expect(ok).toBe(true);
};
const modes = [{}, { onError: 'continueRegularOutput' }, onError] as const;

it('two simultaneous Syncs of a list add no contact twice', async () => {
	const listId = await list();
	let release: () => void = () => undefined;
	const released = new Promise<void>((resolve) => (release = resolve));
	let reportAdding: () => void = () => undefined;
	const adding = new Promise<void>((resolve) => (reportAdding = resolve));
	proxy.decide(async ({ method }): Promise<FaultDecision> => {
		if (method !== 'POST') return 'pass';
		reportAdding();
		await released;
		return 'pass';
	});
	const first = sync(listId, [person('ada')], apply);
	await adding;
	const second = sync(listId, [person('ada')], apply);
	release();
	const results = await Promise.all([first, second]);
	expect(results.map(({ outputItems }) => outputItems.map(({ change }) => change))).toEqual([
		['created'],
		['unchanged'],
	]);
	expect(await contacts(listId)).toHaveLength(1);
});

it('a contact that no longer exists when it is removed counts as removed', async () => {
	const listId = await list([person('ada'), person('bob')]);
	proxy.decide(({ method, path }) => {
		const contactId = Number(/\/contacts\/(\d+)$/.exec(path)?.[1]);
		if (method === 'DELETE') control('removeContact', { contactListId: listId, contactId });
		return 'pass';
	});
	const { outputItems, error } = await sync(listId, [person('ada')], {
		...apply,
		missing: 'remove',
	});
	expect(error).toBeUndefined();
	expect(changesIn(outputItems)).toEqual([
		['unchanged', false],
		['removed', true],
	]);
	expect(count('removeContact')).toBe(1);
});

describe.each(modes)('with %j', (node) => {
	it('a rejected credential stops Sync at once', async () => {
		const people = makePeople(30);
		const listId = await list([...people, person('old')]);
		const sent: string[] = [];
		proxy.decide(({ method }) => {
			if (method !== 'GET') {
				sent.push(method);
				rig.sandbox.settings.eventRegistration.headerName = 'X-Renamed';
			}
			return 'pass';
		});
		const input = [...people.map((row) => ({ ...row, Phone: '1' })), person('new')];
		const { outputItems, error } = await sync(listId, input, { ...apply, missing: 'remove' }, node);
		if (!('onError' in node)) expect(error?.message).toMatch(/^Sync stopped after 0 changed/);
		expect(outputItems.filter(({ applied }) => applied === true)).toEqual([]);
		expect(sent).toEqual(['PATCH']);
	});

	it.each([
		['a change limit', { maxChanges: '1' }],
		['another plan', { expectedPlan: `2026-05-01T12:00:00.000Z_${'a'.repeat(32)}` }],
	])('%s stops Sync before the first write', async (_, options) => {
		const listId = await list([person('ada')]);
		const people = [person('bob'), person('cem')];
		const { outputItems, errorItems, error } = await sync(
			listId,
			people,
			{ ...apply, options },
			node,
		);
		expect(writes()).toEqual([0, 0, 0]);
		expect(
			[...outputItems, ...errorItems].every((item) => JSON.stringify(item).includes('othing was')),
		).toBe(true);
		expect([outputItems.length, errorItems.length, error === undefined]).toEqual(
			node === onError ? [0, 2, true] : 'onError' in node ? [2, 0, true] : [0, 0, false],
		);
	});

	it('a list that is deleted meanwhile stops Sync', async () => {
		const people = makePeople(25);
		const listId = await list(people);
		const sent: string[] = [];
		proxy.decide(async ({ number, method }): Promise<FaultDecision> => {
			if (method !== 'GET') sent.push(method);
			// The form, the list, a page and the list come first.
			if (number === 5) await deleteList(listId);
			return 'pass';
		});
		const input = [...people.map((row) => ({ ...row, Phone: '1' })), person('new')];
		const { outputItems, error } = await sync(listId, input, apply, node);
		expect(outputItems.filter(({ applied }) => applied !== undefined)).toEqual([]);
		expect(error === undefined).toBe('onError' in node);
		expect(sent).toEqual([]);
	});
});

it.each([true, false])(
	'an unreachable service stops Sync, whatever On Error says (%j)',
	(continues) => {
		const writeResults = new WriteResults(continues);
		const row: PlannedRow = { row: { index: 0, key: 'a', values: [] }, change: 'unchanged' };
		writeResults.fail(row, new ServiceFailure('Not there', { code: 'UNREACHABLE' }));
		expect(writeResults.isStopped).toBe(true);
	},
);

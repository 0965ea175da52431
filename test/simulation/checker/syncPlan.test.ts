// Protects what the simulator proves about plans of Sync: it finds a plan or a result that is not as documented.
import type { History, NewEvent, RecordedPlan, SyncInput } from '../history';
import { checkSyncPlan } from './syncPlan';

const historyOf = (...events: NewEvent[]): History =>
	events.map((event, index) => ({ at: index * 1000, ...event }));

const ann = { Email: 'a@x.org', LastName: 'Ng' };
const bob = { Email: 'b@x.org', LastName: 'Otte' };
const input: SyncInput = {
	matchBy: 'Email',
	kinds: { Email: 'text', LastName: 'text' },
	missing: 'remove',
	rows: [{ Email: 'A@x.org', LastName: 'Other' }],
	invalidRows: [],
};
const contacts = [
	{ id: 1, addedAt: 0, values: ann },
	{ id: 2, addedAt: 0, values: bob },
];
const update = {
	change: 'updated',
	contact: 1,
	changes: [{ field: 'LastName', from: 'Ng', to: 'Other' }],
};
const good: RecordedPlan = { rows: [update], unmatched: [{ change: 'removed', contact: 2 }] };

/** Returns the events of a run that reads the list and plans. */
const planned = (
	run: number,
	plan: RecordedPlan,
	digest = 'd',
	given: Partial<SyncInput> = {},
	asOf = 500,
): NewEvent[] => [
	{ type: 'syncBegan', run, input: { ...input, ...given } },
	{ type: 'listRead', run, contacts, asOf },
	{ type: 'planned', run, plan, digest },
];
const after = (list: typeof contacts): NewEvent => ({
	type: 'syncEnded',
	run: 1,
	isComplete: true,
	contacts: list,
});
const written = [{ id: 1, addedAt: 0, values: { ...ann, LastName: 'Other' } }];
const brokenBy = (...events: NewEvent[]) =>
	checkSyncPlan(historyOf(...events)).violations.map(({ promise }) => promise);

it('a plan as documented, and the list that it leads to, break no promise', () => {
	expect(brokenBy(...planned(1, good), after(written))).toEqual([]);
});

it.each<[string, NewEvent[]]>([
	['every item has one result', planned(1, { ...good, rows: [] })],
	[
		'a row is planned as documented',
		planned(1, { ...good, rows: [{ ...update, change: 'created' }] }),
	],
	[
		'only fields that differ are written',
		planned(1, { ...good, rows: [{ ...update, changes: [] }] }),
	],
	[
		'a contact in the input or a new one stays',
		planned(1, { ...good, unmatched: [...good.unmatched, { change: 'removed', contact: 1 }] }),
	],
	['a contact in the input or a new one stays', planned(1, good, 'd', {}, 0)],
	['every missing contact is listed', planned(1, { ...good, unmatched: [] })],
	['limits hold', planned(1, good, 'd', { maxRemovals: '0' })],
	['equal plans are the expected plan', [...planned(1, good), ...planned(2, good, 'other')]],
	[
		'another plan is not the expected one',
		[...planned(1, good), ...planned(2, { ...good, unmatched: [] }, 'd', { missing: 'leave' })],
	],
	['after a run the list equals its plan', [...planned(1, good), after(contacts)]],
	[
		'what was not asked for is not changed',
		[
			...planned(1, good),
			after([{ ...written[0]!, values: { ...written[0]!.values, Email: 'z@x.org' } }]),
		],
	],
	[
		'nobody is added twice',
		[...planned(1, good), after([...written, { id: 3, addedAt: 0, values: { ...ann } }])],
	],
])('%s', (promise, events) => {
	expect(brokenBy(...events)).toContain(promise);
});

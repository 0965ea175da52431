import fc from 'fast-check';

import { checkSyncPlan } from '../checker/syncPlan';
import type { SyncInput } from '../history';
import planted from '../planted/syncPlan.json';
import { FastMachine } from '../world/fastMachine';
import type { OrganizerAct } from '../world/syncList';
import { SyncRuns } from '../world/syncRuns';
import type { PlannedSync } from '../world/syncRuns';
import { World } from '../world/world';
import type { Subject } from './subject';
import { anyTime, anyWorldPlan, calmPlan, playPlan } from './worldPlan';
import type { WorldPlan } from './worldPlan';

type Values = Record<string, string>;

/** Plan of Syncs of one list, and of what organizers do in it meanwhile. */
interface SyncPlan extends WorldPlan {
	contacts: Values[];
	syncs: PlannedSync[];
	acts: Array<{ atMs: number; act: OrganizerAct }>;
}

const PLANNED_MS = 60_000;
const CALM_MS = 60_000;
/** Time until a user has signed a preview off. */
const SIGN_OFF_MS = 10_000;

const KINDS = {
	Email: 'text',
	MemberNumber: 'text',
	LastName: 'text',
	Employees: 'number',
	Newsletter: 'boolean',
	MemberSince: 'date',
	LastCall: 'dateTime',
	Topics: 'choices',
};

const addresses = ['a@x.org', 'A@x.org ', 'b@x.org', 'c@x.org', 'd@x.org', 'e@x.org'];
const numbers = ['00123', '123', ' 7', '7', '8', '9'];
const texts = {
	LastName: ['Ng', ' Ng', 'Otte', ''],
	Employees: ['1', '1.0', '01', '-2', '2.50', 'many', ''],
	Newsletter: ['true', 'Yes', 'no', '0', 'maybe', ''],
	MemberSince: ['2026-01-05', '2026-01-05T00:00:00Z', '2026-02-01', '01/05/2026', ''],
	LastCall: ['2026-01-05T09:00:00.000Z', '2026-01-05T10:00:00+01:00', 'soon', ''],
	Topics: ['Red', 'Red, Blue', 'Blue;Red', 'Blue', ''],
};

const anyTexts: fc.Arbitrary<Values> = fc
	.record(
		Object.fromEntries(
			Object.entries(texts).map(([name, values]) => [name, fc.constantFrom(...values)]),
		),
		{ requiredKeys: [] },
	)
	.map((values) => values as Values);

const anyPerson: fc.Arbitrary<Values> = fc
	.record({
		Email: fc.constantFrom(...addresses),
		MemberNumber: fc.constantFrom(...numbers),
		texts: anyTexts,
	})
	.map(({ texts: further, ...person }) => ({ ...person, ...further }));

const withoutAddress = (values: Values): Values =>
	Object.fromEntries(Object.entries(values).filter(([name]) => name !== 'Email'));

/** A contact may have no address or number. */
const anyContact: fc.Arbitrary<Values> = fc
	.tuple(anyPerson, fc.constantFrom('', '', '', '', 'Email', 'MemberNumber'))
	.map(([person, blank]) => ({ ...person, ...(blank !== '' && { [blank]: '' }) }));

const anyRows = fc.array(anyPerson, { minLength: 1, maxLength: 6 });

const anyInput: fc.Arbitrary<SyncInput> = fc
	.record({
		matchBy: fc.constantFrom('Email', 'MemberNumber'),
		rows: anyRows,
		invalidRows: fc.oneof(
			{ weight: 4, arbitrary: fc.constant([] as Values[]) },
			{ weight: 1, arbitrary: fc.array(anyPerson, { minLength: 1, maxLength: 2 }) },
		),
		missing: fc.constantFrom('leave', 'report', 'remove', 'remove', 'remove'),
		maxRemovals: fc.constantFrom(undefined, undefined, '0', '1', '2', '20%', '50%', '100%'),
		maxChanges: fc.constantFrom(undefined, undefined, undefined, '1', '3', '30%'),
		mapsAddress: fc.constantFrom(true, true, true, false),
	})
	.map(({ mapsAddress, ...input }) => {
		// A row that does not map the address leaves that of its contact as it is.
		if (mapsAddress || input.matchBy === 'Email') return { ...input, kinds: KINDS };
		const kinds = withoutAddress(KINDS);
		const rows = input.rows.map(withoutAddress);
		return { ...input, kinds, rows, invalidRows: input.invalidRows.map(withoutAddress) };
	});

const anyAct: fc.Arbitrary<OrganizerAct> = fc.oneof(
	fc.record({ kind: fc.constant('add' as const), values: anyContact }),
	fc.record({ kind: fc.constant('change' as const), index: fc.nat(9), values: anyTexts }),
	fc.record({ kind: fc.constant('change' as const), index: fc.nat(9), values: anyContact }),
	fc.record({ kind: fc.constant('remove' as const), index: fc.nat(9) }),
	fc.record({ kind: fc.constant('recreate' as const), index: fc.nat(9) }),
);

/** Some Syncs follow a preview with the same items, in another order. */
const anySyncs: fc.Arbitrary<PlannedSync[]> = fc
	.array(
		fc.record({
			atMs: anyTime(PLANNED_MS - 20_000),
			input: anyInput,
			kind: fc.constantFrom('preview', 'apply', 'apply', 'both', 'both'),
		}),
		{ minLength: 1, maxLength: 3 },
	)
	.map((drawn) =>
		drawn.flatMap(({ atMs, input, kind }, signOff): PlannedSync[] => {
			if (kind !== 'both') return [{ atMs, input, mode: kind }];
			const reversed = {
				...input,
				rows: input.rows.toReversed(),
				kinds: Object.fromEntries(Object.entries(input.kinds).toReversed()),
			};
			return [
				{ atMs, input, mode: 'preview', signOff },
				{ atMs: atMs + SIGN_OFF_MS, input: reversed, mode: 'apply', signOff },
			];
		}),
	);

const plans: fc.Arbitrary<SyncPlan> = fc
	.record({
		world: anyWorldPlan(PLANNED_MS, ['request', 'response']),
		contacts: fc.array(anyContact, { maxLength: 8 }),
		syncs: anySyncs,
		acts: fc.array(fc.record({ atMs: anyTime(PLANNED_MS), act: anyAct }), { maxLength: 6 }),
	})
	.map(({ world, ...plan }) => ({ ...world, ...plan }));

const ann: Values = { Email: 'a@x.org', MemberNumber: '7', LastName: 'Ng', Employees: '1' };
const bob: Values = { Email: 'b@x.org', MemberNumber: '8', LastName: 'Otte', Topics: 'Red, Blue' };
const cleo: Values = { Email: 'c@x.org', MemberNumber: '9', Newsletter: 'no' };

const shortPlan = (
	contacts: Values[],
	input: Partial<SyncInput>,
	acts: OrganizerAct[] = [],
): SyncPlan => {
	const complete: SyncInput = {
		matchBy: 'Email',
		kinds: KINDS,
		missing: 'remove',
		rows: [ann, bob],
		invalidRows: [],
		...input,
	};
	const reversed = { ...complete, rows: complete.rows.toReversed() };
	return {
		...calmPlan,
		contacts,
		acts: acts.map((act, index) => ({ atMs: 6960 + 20 * index, act })),
		syncs: [
			{ atMs: 1000, input: complete, mode: 'preview', signOff: 1 },
			{ atMs: 4000, input: reversed, mode: 'apply', signOff: 1 },
			{ atMs: 5000, input: complete, mode: 'preview' },
		],
	};
};

const shortPlans: SyncPlan[] = [
	shortPlan([], {}),
	shortPlan([{ ...ann, LastName: 'Otte' }, cleo], {}),
	shortPlan([ann, bob, cleo], { rows: [{ ...cleo, Email: 'C@x.org ' }], maxRemovals: '2' }),
	shortPlan([ann, cleo], { matchBy: 'MemberNumber', rows: [{ ...bob, Email: 'c@x.org' }, ann] }),
	shortPlan([ann, bob, cleo], { rows: [ann], maxRemovals: '50%' }),
	shortPlan([cleo], { rows: [ann, ann, bob], invalidRows: [{ ...cleo, Email: 'x' }] }),
	shortPlan([cleo, ann], { rows: [{ ...ann, Employees: '1.0', Topics: '' }] }),
	shortPlan([ann, cleo], {}, [
		{ kind: 'add', values: bob },
		{ kind: 'change', index: 1, values: { LastName: 'Ng' } },
		{ kind: 'remove', index: 0 },
		{ kind: 'recreate', index: 0 },
	]),
];

/** The plan of Contact: Sync, without n8n and HTTP. */
export const syncPlan: Subject<SyncPlan> = {
	name: 'SyncPlan',
	plans,
	shortPlans,
	planted,
	check: checkSyncPlan,
	play: async (plan, bundle) => {
		const world = new World({
			seed: plan.seed,
			bundle: { ...bundle, load: () => ({}) },
			crashes: plan.crashes,
			machine: new FastMachine(),
		});
		const runs = new SyncRuns(world, bundle.loadCores(), plan);
		for (const contact of plan.contacts) runs.list.add(contact);
		for (const sync of plan.syncs) world.machine.schedule(sync.atMs, () => runs.add(sync));
		for (const { atMs, act } of plan.acts)
			world.machine.schedule(atMs, () => runs.list.organize(act));
		const isOver = () => runs.isOver();
		await playPlan(
			world,
			plan,
			{ n8n: runs, service: runs },
			{ plannedMs: PLANNED_MS, calmMs: CALM_MS, isOver },
		);
		world.end();
		return world;
	},
};

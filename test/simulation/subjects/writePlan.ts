import fc from 'fast-check';

import type { WriteSettings } from '../history';
import type { Crash } from '../world/crashes';
import { LONG_PAUSE, requestFaults } from '../world/memoryService';
import type { PlannedFault } from '../world/memoryService';
import { anyTime, anyWorldPlan, calmPlan } from './worldPlan';
import type { WorldPlan } from './worldPlan';

/** Plan of executions that write contacts, registrations and messages. */
export interface WritePlan extends WorldPlan {
	/** People in the contact list at first, by their number. */
	listed: PlannedPerson[];
	writingWorkflows: PlannedWrites[];
	executions: PlannedExecution[];
	acts: PlannedAct[];
	/** Faults of the first requests with these methods. */
	writeFaults: Array<{ method: 'POST' | 'PATCH' | 'DELETE'; fault: PlannedFault['fault'] }>;
}

export interface PlannedWrites extends Pick<
	WriteSettings,
	'operation' | 'onError' | 'retryOnFail'
> {
	matchBy: 'Email' | 'MemberNumber';
	missing: 'leave' | 'report' | 'remove';
	maxRemovals?: string;
	maxChanges?: string;
	/** Attempts of each request. */
	tries: number;
	/** Contacts per request, for Add. */
	batchSize: number;
}

/** A person and a version of the person's values. */
export interface PlannedPerson {
	person: number;
	version: number;
	isInvalid?: boolean;
	/** Whether the address is written in capitals. */
	isInCapitals?: boolean;
}

export interface PlannedExecution {
	workflow: number;
	startedAtMs: number;
	items: PlannedPerson[];
	/** For Sync: whether it writes, or only shows what it would write, or both, the plan being signed off in between. */
	mode: 'preview' | 'apply' | 'signOff';
}

/** An organizer changes, adds, removes or re-creates a contact, or registers a person. */
interface PlannedAct extends PlannedPerson {
	atMs: number;
	/** The act follows this request, counted from 1, and not a time. */
	afterRequest?: number;
	/** A person who signs up leaves the member number blank. */
	kind: 'add' | 'signUp' | 'change' | 'remove' | 'recreate' | 'register';
}

/** Time at which faults end. */
export const PLANNED_MS = 40_000;

const anyPerson: fc.Arbitrary<PlannedPerson> = fc.record({
	person: fc.nat(5),
	version: fc.nat(2),
});

const anyItem: fc.Arbitrary<PlannedPerson> = fc
	.tuple(anyPerson, fc.nat(11))
	.map(([person, number]) => ({ ...person, ...(number === 0 && { isInvalid: true }) }));

const anyWorkflow: fc.Arbitrary<PlannedWrites> = fc.record({
	operation: fc.constantFrom(
		'sync' as const,
		'sync',
		'sync',
		'upsertContact',
		'upsertRegistration',
		'addContacts',
		'addContacts',
		'register',
		'sms',
	),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	retryOnFail: fc.boolean(),
	matchBy: fc.constantFrom('Email' as const, 'Email', 'MemberNumber'),
	missing: fc.constantFrom('leave', 'report', 'remove', 'remove', 'remove'),
	maxRemovals: fc.constantFrom(undefined, undefined, '1', '2', '50%', '100%'),
	maxChanges: fc.constantFrom(undefined, undefined, undefined, '2', '50%'),
	tries: fc.constantFrom(1, 1, 3),
	batchSize: fc.constantFrom(1, 2, 100),
});

const anyExecution: fc.Arbitrary<PlannedExecution> = fc.record({
	workflow: fc.nat(1),
	startedAtMs: fc.oneof(
		{ weight: 3, arbitrary: anyTime(500).map((ms) => ms + 3000) },
		{ weight: 1, arbitrary: anyTime(15_000).map((ms) => ms + 3000) },
	),
	items: fc.array(anyItem, { minLength: 1, maxLength: 5 }),
	mode: fc.constantFrom('preview', 'apply', 'apply', 'apply', 'signOff'),
});

const anyAct: fc.Arbitrary<PlannedAct> = fc
	.record({
		who: anyPerson,
		atMs: fc.oneof(
			{ weight: 3, arbitrary: fc.integer({ min: 3900, max: 5500 }) },
			{ weight: 1, arbitrary: fc.integer({ min: 3000, max: 20_000 }) },
		),
		afterRequest: fc.option(fc.integer({ min: 3, max: 14 }), { nil: undefined, freq: 2 }),
		kind: fc.constantFrom(
			'add' as const,
			'add',
			'signUp',
			'change',
			'remove',
			'recreate',
			'register',
		),
	})
	.map(({ who, ...act }) => ({ ...who, ...act }));

const anyNumber = fc.integer({ min: 1, max: 40 });

const anyCrash: fc.Arbitrary<Crash> = fc.record({
	kind: fc.constantFrom('request', 'request', 'response', 'execution end', 'start'),
	nth: anyNumber,
	side: fc.constantFrom('before', 'after'),
	downtimeMs: anyTime(3000),
});

const anyFault = fc.record({ request: anyNumber, fault: fc.constantFrom(...requestFaults) });

const anyWriteFault = fc.record({
	method: fc.constantFrom('POST' as const, 'POST', 'PATCH', 'DELETE'),
	fault: fc.constantFrom('lostBefore', 'lostAfter', 'truncated', '500', '429 with Retry-After'),
});

export const plans: fc.Arbitrary<WritePlan> = fc
	.record({
		world: anyWorldPlan(20_000),
		crashes: fc.array(anyCrash, { maxLength: 4 }),
		faults: fc.array(anyFault, { maxLength: 3 }),
		writeFaults: fc.array(anyWriteFault, { maxLength: 2 }),
		isQuiet: fc.constantFrom(true, false, false),
		listed: fc.uniqueArray(anyPerson, {
			maxLength: 6,
			selector: ({ person }) => person,
		}),
		writingWorkflows: fc.array(anyWorkflow, { minLength: 2, maxLength: 2 }),
		executions: fc.array(anyExecution, { minLength: 1, maxLength: 3 }),
		acts: fc.array(anyAct, { maxLength: 4 }),
	})
	.map(({ world, isQuiet, faults, ...plan }) => ({
		...world,
		...plan,
		// Locks hold within a process, so two processes at once would race.
		events: world.events.filter(({ kind }) => ['kill', 'clock', 'restart'].includes(kind)),
		faults: isQuiet ? faults.slice(1) : [...faults, ...world.faults],
		acts: isQuiet ? [] : plan.acts,
		writeFaults: isQuiet ? [] : plan.writeFaults,
	}));

const people = (...numbers: number[]): PlannedPerson[] =>
	numbers.map((person) => ({ person, version: 0 }));

const shortPlan = (
	operation: PlannedWrites['operation'],
	settings: Partial<PlannedWrites>,
	further: Partial<WritePlan> = {},
	execution: Partial<PlannedExecution> = {},
): WritePlan => ({
	...calmPlan,
	listed: people(0, 1, 2),
	writingWorkflows: [
		{
			operation,
			onError: 'stopWorkflow',
			retryOnFail: false,
			matchBy: 'Email',
			missing: 'remove',
			tries: 1,
			batchSize: 2,
			...settings,
		},
	],
	executions: [
		{
			workflow: 0,
			startedAtMs: 3000,
			items: [{ person: 0, version: 1 }, ...people(1, 3, 4)],
			mode: 'apply',
			...execution,
		},
	],
	acts: [],
	writeFaults: [],
	...further,
});

export const shortPlans: WritePlan[] = [
	shortPlan('sync', {}, { acts: [{ ...people(3)[0]!, kind: 'add', atMs: 4300 }] }),
	shortPlan('sync', {}),
	shortPlan('sync', {}, {}, { mode: 'signOff' }),
	shortPlan('sync', { matchBy: 'MemberNumber', onError: 'continueErrorOutput', retryOnFail: true }),
	shortPlan('upsertContact', { onError: 'continueRegularOutput' }),
	shortPlan('upsertRegistration', { retryOnFail: true }, {}, { items: people(3, 3, 4) }),
	shortPlan('upsertContact', {}, {}, { items: people(3, 3, 4) }),
	shortPlan('addContacts', { onError: 'continueErrorOutput', retryOnFail: true }),
	shortPlan(
		'addContacts',
		{ retryOnFail: true },
		{ faults: [{ request: 3, fault: 'lostBefore' }] },
	),
	shortPlan('register', { retryOnFail: true }, { faults: [{ request: 3, fault: 'lostAfter' }] }),
	shortPlan('sms', { onError: 'continueErrorOutput' }),
	// The second execution begins in the pause that the first one ends with.
	{
		...shortPlan('register', {}, { faults: [{ request: 3, fault: LONG_PAUSE }] }),
		executions: [3000, 74_000].map((startedAtMs) => ({
			workflow: 0,
			startedAtMs,
			items: people(3),
			mode: 'apply',
		})),
	},
	shortPlan(
		'upsertContact',
		{},
		{},
		{ items: [{ ...people(3)[0]!, isInCapitals: true }, ...people(3)] },
	),
	shortPlan(
		'sync',
		{ matchBy: 'MemberNumber' },
		{ acts: [{ ...people(3)[0]!, kind: 'signUp', atMs: 4300 }] },
	),
	// A contact is removed and another one added, so the list has as many contacts as before.
	shortPlan(
		'sync',
		{ missing: 'leave' },
		{
			acts: [
				{ ...people(2)[0]!, kind: 'remove', atMs: 4300 },
				{ ...people(3)[0]!, kind: 'add', atMs: 4310 },
			],
		},
	),
	// The list changes after the preview, so its plan is another one.
	shortPlan(
		'sync',
		{},
		{ acts: [{ person: 1, version: 1, kind: 'change', atMs: 6000 }] },
		{ mode: 'signOff' },
	),
];

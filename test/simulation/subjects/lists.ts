import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { checkLists } from '../checker/lists';
import planted from '../planted/lists.json';
import type { MemoryService } from '../world/memoryService';
import { N8nModel } from '../world/n8nModel';
import { RecordLists } from '../world/recordLists';
import type { ListChange, ListSettings, PageOfRecords } from '../world/recordLists';
import type { TriggerWorkflow } from '../world/workflows';
import type { World } from '../world/world';
import { anyCrashAtStart, anyPlannedChanges, noChanges } from './listPlan';
import type { PlannedChanges } from './listPlan';
import type { Subject } from './subject';
import { anyWorldPlan, calmPlan, playInWorld } from './worldPlan';
import type { WorldPlan } from './worldPlan';

type Kind = 'created' | 'updated' | 'statusChanged' | 'checkedIn';

/** Plan of a history of triggers that follow registrations (filtered by change) or attendees (compared), or both. */
interface ListPlan extends WorldPlan, PlannedChanges {
	services: Array<'registrations' | 'attendees'>;
	kinds: Kind[];
	order: ListSettings['order'];
	pageSize: number;
	intervalSeconds: number;
	overlapMinutes: number;
	includeExisting: boolean;
	batchesChanges: boolean;
	plannedMs: number;
	/** How long a history continues without faults. */
	calmMs: number;
}

const PLANNED_MS = 240_000;
/** Longer than n8n pauses polling after faults, plus 15 minutes until the check that reaches back two hours. */
const CALM_MS = 1_500_000;

const plans: fc.Arbitrary<ListPlan> = fc
	.tuple(
		anyWorldPlan(PLANNED_MS),
		anyPlannedChanges(PLANNED_MS),
		anyCrashAtStart,
		fc.record({
			services: fc.constantFrom<ListPlan['services'][]>(
				['registrations'],
				['registrations'],
				['attendees'],
				['attendees'],
				['registrations', 'attendees'],
			),
			kinds: fc.subarray<Kind>(['created', 'updated', 'statusChanged', 'checkedIn'], {
				minLength: 1,
			}),
			order: fc.constantFrom('number' as const, 'oldest', 'newest'),
			pageSize: fc.integer({ min: 2, max: 6 }),
			intervalSeconds: fc.constantFrom(30, 60),
			overlapMinutes: fc.constantFrom(1, 2),
			includeExisting: fc.constantFrom(false, false, true),
			batchesChanges: fc.constantFrom(false, false, true),
		}),
	)
	.map(([world, changes, crashes, settings]) => ({
		...world,
		...changes,
		...settings,
		plannedMs: PLANNED_MS,
		calmMs: CALM_MS,
		crashes: [...world.crashes, ...crashes],
	}));

const shortPlan: ListPlan = {
	...calmPlan,
	...noChanges,
	services: ['registrations'],
	kinds: ['created', 'updated'],
	order: 'number',
	pageSize: 3,
	intervalSeconds: 60,
	overlapMinutes: 1,
	includeExisting: false,
	batchesChanges: false,
	plannedMs: 100_000,
	calmMs: 300_000,
};

/** Returns changes that follow each other, one every 20 seconds. */
const inTurn = (...changes: ListChange[]) =>
	changes.map((change, index) => ({ atMs: 10_000 + 20_000 * index, change }));
const create: ListChange = { kind: 'create', list: 0, lateMs: 0 };
const edit: ListChange = { kind: 'edit', record: 0, lateMs: 0 };

const change = (kind: 'status' | 'checkIn' | 'revert' | 'recreate', lateMs = 0): ListChange => ({
	kind,
	record: 0,
	lateMs,
});
const remove: ListChange = { kind: 'delete', record: 0 };
const compared: ListPlan = {
	...shortPlan,
	services: ['attendees'],
	kinds: ['created', 'updated', 'statusChanged', 'checkedIn'],
};

const shortPlans: ListPlan[] = [
	{ ...shortPlan, changes: inTurn(create) },
	{ ...shortPlan, changes: inTurn(edit, edit) },
	{ ...shortPlan, changes: inTurn(create, edit), keepsExecutions: false },
	{ ...shortPlan, changes: inTurn({ ...create, lateMs: 40_000 }) },
	{ ...shortPlan, changes: inTurn(create, create, create), batchesChanges: true },
	{ ...shortPlan, includeExisting: true, initialCount: 2 },
	{ ...shortPlan, changes: inTurn(remove, change('recreate')) },
	{
		...shortPlan,
		// After the third read, from which on dates no longer decide what is new.
		serviceSteps: [{ atMs: 130_000, byMs: -5 * 3_600_000 }],
		changes: [{ atMs: 200_000, change: edit }],
		plannedMs: 210_000,
	},
	{ ...compared, changes: inTurn(create, change('status')) },
	{ ...compared, changes: inTurn(edit, change('revert')) },
	{ ...compared, changes: inTurn(change('checkIn'), change('checkIn')), keepsExecutions: false },
	{ ...compared, changes: inTurn(remove, change('recreate')), initialCount: 4 },
	{ ...compared, changes: inTurn(create, create, edit), batchesChanges: true },
];

/** Lists of records that the event triggers follow. */
export const lists: Subject<ListPlan> = {
	name: 'Lists',
	plans,
	shortPlans,
	planted,
	check: checkLists,
	play: async (plan, bundle) =>
		await playInWorld(plan, bundle, {
			plannedMs: plan.plannedMs,
			calmMs: plan.calmMs,
			prepare: async (world, service) => prepareLists(world, service, plan),
		}),
};

/** Adds the records and the organizers' changes, and returns n8n with the triggers. */
function prepareLists(world: World, service: MemoryService, plan: ListPlan): N8nModel {
	const { machine } = world;
	const followed = plan.services.map((name, index) => settingsFor(plan, name, index));
	const records = new RecordLists(world, followed, () => service.sandbox.world.now());
	records.addInitial(plan.initialCount);
	for (const { atMs, change } of plan.changes) machine.schedule(atMs, () => records.apply(change));
	for (const { atMs, change } of plan.betweenPages)
		machine.schedule(atMs, () => records.betweenPages.push(change));
	for (const { atMs, byMs } of plan.serviceSteps)
		machine.schedule(atMs, () => service.stepClock(byMs));
	service.serve = (request, url) => servePage(records, request, url);
	return new N8nModel(world, {
		...plan,
		workflows: plan.services.map((name) => workflowFor(plan, name)),
		credentials: service.sandbox.credentials,
	});
}

const REGISTRATION_KINDS: string[] = ['created', 'updated'] satisfies Kind[];

/** Registrations have no status or check-in that starts a workflow by itself. */
function kindsOf({ kinds }: ListPlan, name: ListPlan['services'][number]): string[] {
	const offered =
		name === 'attendees' ? kinds : kinds.filter((kind) => REGISTRATION_KINDS.includes(kind));
	return offered.length > 0 ? offered : REGISTRATION_KINDS;
}

function settingsFor(
	plan: ListPlan,
	name: ListPlan['services'][number],
	index: number,
): ListSettings {
	const { order, includeExisting, batchesChanges } = plan;
	const isFiltered = name === 'registrations';
	return {
		followed: {
			list: name,
			workflow: name,
			kinds: kindsOf(plan, name),
			isFiltered,
			includeExisting,
			batchesChanges,
			intervalMs: plan.intervalSeconds * 1000,
			overlapMs: plan.overlapMinutes * 60_000,
			skewMs: 0,
			hasExactDates: true,
		},
		firstNumber: 910_000 + 1000 * index,
		order,
		// The node asks for 200 registrations per page.
		pageSize: isFiltered ? 200 : plan.pageSize,
		showsTotal: !isFiltered,
		resolutionMs: 1,
	};
}

function workflowFor(plan: ListPlan, name: ListPlan['services'][number]): TriggerWorkflow {
	const isFiltered = name === 'registrations';
	const prefix = isFiltered ? 'registration' : 'attendee';
	const parameters: INodeParameters = {
		triggerOn: kindsOf(plan, name).map((kind) => prefix + kind[0]!.toUpperCase() + kind.slice(1)),
		where: 'oneEvent',
		eventId: { __rl: true, mode: 'id', value: isFiltered ? '1004' : 'evt_1004' },
		...(isFiltered && { simplify: false }),
		options: {
			pollingInterval: plan.intervalSeconds,
			includeExisting: plan.includeExisting,
			together: plan.batchesChanges,
			...(isFiltered && { overlap: plan.overlapMinutes }),
		},
	};
	const trigger = isFiltered ? 'EventRegistrationTrigger' : 'EventDataTrigger';
	return { id: name, trigger, parameters };
}

/** Returns a page of registrations or attendees; undefined if a request is for something else. */
function servePage(lists: RecordLists, request: number, url: URL): object | undefined {
	const page = Number(url.searchParams.get('page') ?? 1);
	if (url.pathname.endsWith('/registrations')) {
		const since = Date.parse(url.searchParams.get('lastUpdatedAfter') ?? '');
		const from = Number.isNaN(since) ? undefined : since;
		return showRegistrations(lists.readPage(request, 'registrations', page, from));
	}
	if (!url.pathname.endsWith('/attendees')) return undefined;
	return showAttendees(lists.readPage(request, 'attendees', page), request);
}

const toIso = (time: number) => new Date(time).toISOString();

const showRegistrations = ({ records }: PageOfRecords) =>
	records.map(({ record, version, shown }) => ({
		RegistrationId: record.number,
		Id: `${record.number}`,
		RegistrationStatus: version.status,
		RegistrationDate: toIso(record.createdAt),
		LastUpdated: toIso(version.writtenAt),
		shown,
	}));

/** Counters and the spelling of dates differ from response to response; neither is a change. */
const showAttendees = ({ records, total }: PageOfRecords, request: number) => ({
	data: records.map(({ record, version, shown }) => ({
		id: `att_${record.number}`,
		eventId: 'evt_1004',
		status: version.status,
		checkInTime: version.checkedInAt === undefined ? null : toIso(version.checkedInAt),
		createdAt: toIso(record.createdAt).replace('Z', request % 2 === 0 ? 'Z' : '+00:00'),
		attendeeCount: request,
		shown,
	})),
	pagination: { total },
});

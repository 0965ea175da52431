import fc from 'fast-check';

import { effectKinds } from '../world/crashes';
import type { Crash, EffectKind } from '../world/crashes';
import { saveFaults } from '../world/database';
import type { PlannedSaveFault } from '../world/database';
import { MemoryService, openSandbox, requestFaults } from '../world/memoryService';
import type { PlannedFault } from '../world/memoryService';
import type { N8nModel } from '../world/n8nModel';
import type { PackBundle } from '../world/packBundle';
import type { VirtualMachine } from '../world/virtualMachine';
import { World } from '../world/world';
import { anyDowntime, anyEvent, scheduleEvent } from './worldEvents';
import type { Operator, TimedEvent } from './worldEvents';

export { anyTime } from './worldEvents';

/** The part of a plan that all subjects have: n8n's database, clocks, faults and kills. */
export interface WorldPlan {
	seed: number;
	/** Kills, steps of the clock and acts of the operator at set times. */
	events: TimedEvent[];
	crashes: Crash[];
	faults: PlannedFault[];
	saveFaults: PlannedSaveFault[];
	/** Starts that n8n rejects, counted from 1. */
	rejectedStarts: number[];
	maxWriteMs: number;
	ordersWrites: boolean;
	keepsExecutions: boolean;
	clockAheadMs: number;
}

const HOUR_MS = 3_600_000;

/** Generates numbers of effects: mostly among the first, where a trigger's state is built. */
const anyNumber = (max: number): fc.Arbitrary<number> =>
	fc.oneof(
		{ weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max }) },
	);

/** Interval at which a history may end. */
const STEP_MS = 5000;

/** Generates single faults and bursts of equal ones, mostly at the first requests. */
const anyFaults: fc.Arbitrary<PlannedFault[]> = fc
	.array(
		fc.record({
			request: anyNumber(60),
			fault: fc.constantFrom(...requestFaults),
			times: fc.constantFrom(1, 1, 3, 6),
		}),
		{ maxLength: 6 },
	)
	.map((bursts) =>
		bursts.flatMap(({ request, fault, times }) =>
			Array.from({ length: times }, (_, index) => ({ request: request + index, fault })),
		),
	);

/** Generates the common part of plans whose last event is at `plannedMs`, with crashes at these kinds of effects. */
export function anyWorldPlan(
	plannedMs: number,
	crashKinds: readonly EffectKind[] = effectKinds,
): fc.Arbitrary<WorldPlan> {
	return fc.record({
		seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
		events: fc.array(anyEvent(plannedMs), { maxLength: 4 }),
		crashes: fc.array(
			fc.record({
				kind: fc.constantFrom(...crashKinds),
				nth: anyNumber(60),
				side: fc.constantFrom('before', 'after'),
				downtimeMs: anyDowntime,
			}),
			{ maxLength: 6 },
		),
		faults: anyFaults,
		saveFaults: fc.array(
			fc.record({ save: anyNumber(20), fault: fc.constantFrom(...saveFaults) }),
			{ maxLength: 3 },
		),
		rejectedStarts: fc.array(anyNumber(8), { maxLength: 3 }),
		maxWriteMs: fc.constantFrom(5, 40, 2000),
		ordersWrites: fc.boolean(),
		keepsExecutions: fc.boolean(),
		clockAheadMs: fc.constantFrom(0, -HOUR_MS, HOUR_MS),
	});
}

/** A plan without faults, with a fast database. */
export const calmPlan: WorldPlan = {
	seed: 1,
	events: [],
	crashes: [],
	faults: [],
	saveFaults: [],
	rejectedStarts: [],
	maxWriteMs: 5,
	ordersWrites: true,
	keepsExecutions: true,
	clockAheadMs: 0,
};

interface Duration {
	/** Time at which faults end. */
	plannedMs: number;
	/** How long a history continues without faults. */
	calmMs: number;
	/** Whether nothing more can happen, so that the history ends early. */
	isOver?: () => boolean;
}

interface Stage extends Duration {
	/** Prepares the services and the people, and returns n8n, which is not started yet. */
	prepare: (world: World, service: MemoryService) => Promise<N8nModel>;
}

/** Plays a plan in a new world and returns the world with its history. */
export async function playInWorld(
	plan: WorldPlan,
	bundle: PackBundle,
	{ prepare, ...duration }: Stage,
): Promise<World> {
	const world = new World({ seed: plan.seed, bundle, crashes: plan.crashes });
	const restoreGlobals = world.machine.install();
	try {
		const service = new MemoryService(world, await openSandbox(), plan.faults, plan.clockAheadMs);
		const n8n = await prepare(world, service);
		await playPlan(world, plan, { n8n, service }, duration);
	} finally {
		world.end();
		restoreGlobals();
	}
	return world;
}

/** Starts n8n, lets the planned events happen, and continues without faults. */
export async function playPlan(
	world: World,
	plan: WorldPlan,
	{ n8n, service }: { n8n: Operator & Pick<N8nModel, 'start'>; service: { endFaults(): void } },
	{ plannedMs, calmMs, isOver = () => false }: Duration,
): Promise<void> {
	const { machine } = world;
	let areFaultsOver = false;
	const startN8n = () => {
		if (!world.process) void n8n.start();
	};
	world.onKill = (downtimeMs) => machine.schedule(areFaultsOver ? 0 : downtimeMs, startN8n);
	for (const event of plan.events) scheduleEvent(world, n8n, event);
	void n8n.start('activate');
	await advanceUntil(machine, plannedMs + 1, isOver);
	areFaultsOver = true;
	service.endFaults();
	n8n.database.endFaults();
	world.crashes.end();
	startN8n();
	world.record({ type: 'faultsEnded' });
	await advanceUntil(machine, calmMs, isOver);
	world.record({ type: 'ended' });
}

/** Lets time pass, or less of it if the history is over. */
async function advanceUntil(
	machine: VirtualMachine,
	ms: number,
	isOver: () => boolean,
): Promise<void> {
	const endMs = machine.nowMs + ms;
	while (machine.nowMs < endMs && !isOver())
		await machine.advance(Math.min(STEP_MS, endMs - machine.nowMs));
}

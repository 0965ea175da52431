import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import type { Crash } from '../world/crashes';
import { openSandbox, MemoryService, requestFaults } from '../world/memoryService';
import type { PlannedFault } from '../world/memoryService';
import { N8nModel } from '../world/n8nModel';
import type { PackBundle } from '../world/packBundle';
import { World } from '../world/world';

/** Plan of a history of a trigger that watches approval requests. */
export interface IdPlan {
	seed: number;
	requests: PlannedRequest[];
	/** Kills and steps of the clock at set times. */
	events: TimedEvent[];
	crashes: Crash[];
	faults: PlannedFault[];
	maxWriteMs: number;
	ordersWrites: boolean;
	keepsExecutions: boolean;
	clockAheadMs: number;
}

interface PlannedRequest {
	outcome: 'approved' | 'denied' | 'expired';
	decidedAtMs: number;
	/** When the ID is submitted; undefined if it is entered in the node. */
	submittedAtMs?: number;
}

type TimedEvent = { atMs: number } & (
	{ kind: 'kill'; downtimeMs: number } | { kind: 'clock'; byMs: number }
);

/** The last time at which something is planned to happen. */
const PLANNED_MS = 90_000;
/** How long a history continues without faults. n8n pauses polling for at most this long after faults. */
const CALM_MS = 400_000;
const RESUBMIT_MS = 5000;
/** A caller that got no response repeats the submission after this time. */
const RESPONSE_TIMEOUT_MS = 40_000;
const SEEDED_USER = '100002';

const time = (max = PLANNED_MS) => fc.integer({ min: 0, max: max / 100 }).map((n) => n * 100);
const downtime = time(20_000);

/** Generates plans. */
export const idPlans: fc.Arbitrary<IdPlan> = fc.record({
	seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
	requests: fc.array(
		fc.record(
			{
				outcome: fc.constantFrom('approved', 'denied', 'expired'),
				decidedAtMs: time(),
				submittedAtMs: time(),
			},
			{ requiredKeys: ['outcome', 'decidedAtMs'] },
		),
		{ minLength: 1, maxLength: 6 },
	),
	events: fc.array(
		fc.oneof(
			fc.record({ kind: fc.constant('kill' as const), atMs: time(), downtimeMs: downtime }),
			fc.record({
				kind: fc.constant('clock' as const),
				atMs: time(),
				byMs: fc.constantFrom(-86_400_000, -60_000, -1500, 1500, 60_000, 86_400_000),
			}),
		),
		{ maxLength: 4 },
	),
	crashes: fc.array(
		fc.record({
			effect: fc.integer({ min: 1, max: 120 }),
			side: fc.constantFrom('before', 'after'),
			downtimeMs: downtime,
		}),
		{ maxLength: 6 },
	),
	faults: fc.array(
		fc.record({
			request: fc.integer({ min: 1, max: 80 }),
			fault: fc.constantFrom(...requestFaults),
		}),
		{ maxLength: 12 },
	),
	maxWriteMs: fc.constantFrom(5, 40, 2000),
	ordersWrites: fc.boolean(),
	keepsExecutions: fc.boolean(),
	clockAheadMs: fc.constantFrom(0, -3_600_000, 3_600_000),
});

/** Plays a plan and returns the world with its history. */
export async function playIds(plan: IdPlan, bundle: PackBundle): Promise<World> {
	const world = new World({ seed: plan.seed, bundle, crashes: plan.crashes });
	const restoreGlobals = world.machine.install();
	try {
		await new IdHistory(world, plan).play();
	} finally {
		world.end();
		restoreGlobals();
	}
	return world;
}

/** The callers, people and operators of one history. */
class IdHistory {
	private n8n!: N8nModel;
	private service!: MemoryService;
	private submissionCount = 0;
	private areFaultsOver = false;

	constructor(
		private readonly world: World,
		private readonly plan: IdPlan,
	) {}

	async play(): Promise<void> {
		const { world, plan } = this;
		const { machine } = world;
		const sandbox = await openSandbox();
		this.service = new MemoryService(world, sandbox, plan.faults, plan.clockAheadMs);
		const ids: string[] = [];
		for (let index = 0; index < plan.requests.length; index++) ids.push(await this.ask());
		const entered = ids.filter((_, index) => plan.requests[index]!.submittedAtMs === undefined);
		this.n8n = new N8nModel(world, {
			...plan,
			workflows: [
				{ id: 'approvals', trigger: 'TwoFactorTrigger', parameters: parametersFor(entered) },
			],
			credentials: sandbox.credentials,
		});
		world.onKill = (downtimeMs) =>
			machine.schedule(this.areFaultsOver ? 0 : downtimeMs, () => void this.startN8n());
		if (entered.length > 0) world.record({ type: 'entered', ids: entered });
		for (const [index, request] of plan.requests.entries()) {
			const id = ids[index]!;
			machine.schedule(request.decidedAtMs, () => this.decide(id, request.outcome));
			if (request.submittedAtMs !== undefined)
				machine.schedule(request.submittedAtMs, () => void this.submit(id));
		}
		for (const event of plan.events)
			machine.schedule(event.atMs, () =>
				event.kind === 'kill' ? world.kill(event.downtimeMs) : world.stepClock(event.byMs),
			);
		void this.startN8n('activate');
		await machine.advance(PLANNED_MS + 1);
		this.areFaultsOver = true;
		this.service.endFaults();
		world.crashes.end();
		if (!world.process) void this.startN8n();
		world.record({ type: 'faultsEnded' });
		await machine.advance(CALM_MS);
		world.record({ type: 'ended' });
	}

	private async startN8n(activation: 'init' | 'activate' = 'init'): Promise<void> {
		if (!this.world.process) await this.n8n.start(activation);
	}

	/** Creates an approval request at the service, and returns its ID. */
	private async ask(): Promise<string> {
		const { sandbox } = this.service;
		const { apiKey, headerName } = sandbox.demo.twoFactor;
		const { pathname } = new URL(sandbox.addresses.twoFactor);
		const response = await sandbox.inject({
			method: 'POST',
			url: `${pathname}/onetouch/json/users/${SEEDED_USER}/approval_requests`,
			headers: { [headerName]: apiKey, host: 'localhost' },
			payload: { message: 'Let me in?' },
		});
		return response.json<{ approval_request: { uuid: string } }>().approval_request.uuid;
	}

	private decide(id: string, outcome: string): void {
		const { sandbox } = this.service;
		if (outcome === 'expired') sandbox.control('twoFactor', 'expire', { uuid: id });
		else sandbox.control('twoFactor', 'decide', { uuid: id, decision: outcome });
		this.world.record({ type: 'decided', id, outcome });
	}

	/** Submits an ID until n8n acknowledges it. */
	private async submit(id: string): Promise<void> {
		const { world } = this;
		for (;;) {
			const submission = ++this.submissionCount;
			world.record({ type: 'submitted', submission, ids: [id] });
			const status = await Promise.race([
				this.n8n.post(0, { ids: [id] }),
				world.machine.sleep(RESPONSE_TIMEOUT_MS).then(() => 0),
			]);
			world.record({ type: 'acknowledged', submission, status });
			if (status === 200) return;
			await world.machine.sleep(RESUBMIT_MS);
		}
	}
}

const parametersFor = (entered: string[]): INodeParameters => ({
	ids: entered.join(', '),
	acceptNewIds: true,
	acceptFromAnybody: true,
	path: 'watch',
	options: { checkEvery: 2 },
});

import type { PollResult } from '../../../nodes/engine/watch';
import { checkIds } from '../checker/ids';
import planted from '../planted/watch.json';
import { FastMachine } from '../world/fastMachine';
import type { N8nProcess } from '../world/n8nProcess';
import { World } from '../world/world';
import { createCaller } from './caller';
import { isEnteredIn } from './idPlan';
import type { Subject } from './subject';
import { WatcherHost } from './watcherHost';
import { PLANNED_MS, plans, shortPlans } from './watchPlan';
import type { Oddity, WatchPlan } from './watchPlan';
import { playPlan } from './worldPlan';

const CALM_MS = 400_000;
const NODE = 'node of approvals';
/** Outcomes of IDs whose responses are not as usual. */
const ODD_OUTCOMES = { doubtful: 'unproven', unrecognized: 'unrecognized' };
const RETRY_AFTER_MS = 7000;
const MAX_LATENCY_MS = 80;
const LONG_DELAY_MS = 4000;

/** A service in memory that returns poll results, with faults. */
class PolledService {
	private requestCount = 0;
	private areFaultsOver = false;
	private readonly decisions = new Map<string, string>();
	private readonly pauses = new WeakMap<N8nProcess, number>();

	constructor(
		private readonly world: World,
		private readonly plan: WatchPlan,
	) {}

	endFaults(): void {
		this.areFaultsOver = true;
	}

	decide(id: string, outcome: string): void {
		this.decisions.set(id, outcome);
		this.world.record({ type: 'decided', id, outcome });
	}

	readonly pausedUntil = (process: N8nProcess): number => this.pauses.get(process) ?? 0;

	async poll(process: N8nProcess, id: string, signal: AbortSignal): Promise<PollResult> {
		const { world } = this;
		const request = ++this.requestCount;
		const planned = this.plan.faults.find((each) => each.request === request)?.fault;
		const fault = this.areFaultsOver ? undefined : planned;
		if (fault) world.faultCount++;
		const latencyMs = world.random.next() * (fault === 'delayed' ? LONG_DELAY_MS : MAX_LATENCY_MS);
		const path = `/requests/${id}`;
		let oddity: Oddity['kind'] | undefined;
		// A trigger that is closed cancels its requests.
		const cancel = () => world.record({ type: 'responded', request, fault: 'canceled' });
		const result = await world.cause(process, 'request', async () => {
			const { number } = process;
			world.record({ type: 'requested', request, process: number, method: 'GET', path });
			signal.addEventListener('abort', cancel);
			await world.machine.sleep(latencyMs / 2);
			oddity = this.oddityOf(id);
			return this.resultOf(id, fault, oddity);
		});
		return await world.cause(process, 'response', async () => {
			await world.machine.sleep(latencyMs / 2);
			signal.removeEventListener('abort', cancel);
			signal.throwIfAborted();
			const retryAfterMs = result?.kind === 'rateLimited' ? result.retryAfterMs : undefined;
			if (retryAfterMs) this.pauses.set(process, Math.ceil(world.machine.nowMs) + retryAfterMs);
			const shownFault = fault === 'delayed' ? (oddity ?? fault) : (fault ?? oddity);
			const rest = {
				...(retryAfterMs && { retryAfterMs }),
				...(shownFault && { fault: shownFault }),
			};
			world.record({ type: 'responded', request, ...rest });
			if (!result) throw new Error('socket hang up');
			return result;
		});
	}

	private oddityOf(id: string): Oddity['kind'] | undefined {
		const { nowMs } = this.world.machine;
		return this.plan.oddities.find(
			({ request, fromMs, forMs }) =>
				id === `id${request}` && nowMs >= fromMs && nowMs < fromMs + forMs,
		)?.kind;
	}

	private resultOf(
		id: string,
		fault: WatchPlan['faults'][number]['fault'] | undefined,
		oddity: Oddity['kind'] | undefined,
	): PollResult | undefined {
		const message = `${fault}`;
		switch (fault) {
			case 'lostBefore':
			case 'lostAfter':
				return undefined;
			case 'truncated':
			case 'html':
			case '404':
			case '410':
				return { kind: 'unrecognized', message } satisfies PollResult;
			case 'unknown':
				return { kind: 'missing' } satisfies PollResult;
			case '401':
				return { kind: 'credentialRejected', message } satisfies PollResult;
			case '429':
				return { kind: 'rateLimited' } satisfies PollResult;
			case '429 with Retry-After':
				return { kind: 'rateLimited', retryAfterMs: RETRY_AFTER_MS } satisfies PollResult;
			case '500':
			case '503':
				return { kind: 'unavailable', message } satisfies PollResult;
			default: {
				if (oddity) return oddResult(oddity);
				const outcome = this.decisions.get(id);
				return outcome ? { kind: 'finished', outcome } : { kind: 'pending' };
			}
		}
	}
}

function oddResult(kind: Oddity['kind']): PollResult {
	switch (kind) {
		case 'doubtful':
			return { kind, outcome: ODD_OUTCOMES.doubtful };
		case 'unrecognized':
			return { kind, message: kind, outcome: ODD_OUTCOMES.unrecognized };
		case 'webPage':
			return { kind: 'unrecognized', message: kind };
		case 'failed':
			return { kind, message: kind };
	}
}

/** The core of ID triggers, without n8n's contexts and without HTTP. */
export const watch: Subject<WatchPlan> = {
	name: 'watch',
	plans,
	shortPlans,
	planted,
	check: checkIds,
	play: async (plan, bundle) => {
		const cores = bundle.loadCores();
		const world = new World({
			seed: plan.seed,
			bundle: { ...bundle, load: () => ({}) },
			crashes: plan.crashes,
			machine: new FastMachine(),
		});
		const service = new PolledService(world, plan);
		const ids = plan.requests.map((_, index) => `id${index}`);
		const enteredIds = ids.filter((_, index) => isEnteredIn(plan.requests[index]!));
		const maxInFlight = 1 + (plan.seed % 4);
		const intervalMs = 1000 + 500 * (plan.seed % 5);
		const { maxWaitMs } = plan;
		const n8n = new WatcherHost(world, cores.watch, plan, {
			node: NODE,
			enteredIds,
			intervalMs,
			maxInFlight,
			maxWaitMs,
			pausedUntil: service.pausedUntil,
			poll: async (process, id, signal) => await service.poll(process, id, signal),
		});
		world.record({ type: 'limits', intervalMs, maxInFlight, ...(maxWaitMs && { maxWaitMs }) });
		world.record({ type: 'entered', ids: [...enteredIds], trigger: NODE });
		const submit = createCaller(world, NODE, async (id) => await n8n.post(id));
		for (const [index, request] of plan.requests.entries()) {
			const id = ids[index]!;
			world.machine.schedule(request.decidedAtMs, () => service.decide(id, request.outcome));
			if (request.submittedAtMs !== undefined)
				world.machine.schedule(request.submittedAtMs, () => void submit(id));
		}
		if (plan.removalAtMs !== undefined)
			world.machine.schedule(plan.removalAtMs, () => {
				world.record({ type: 'removed', ids: enteredIds.splice(0) });
				void n8n.publishAgain(0);
			});
		await playPlan(world, plan, { n8n, service }, { plannedMs: PLANNED_MS, calmMs: CALM_MS });
		world.end();
		return world;
	},
};

import type {
	ApprovalPolicy,
	PersonRequest,
	QuorumEnd,
	QuorumProgress,
	RequestKey,
} from '../../../nodes/engine/quorum/types';
import type { ChosenPolicy } from '../history';
import type { ApprovalService } from '../world/approvalService';
import { Database } from '../world/database';
import type { N8nProcess } from '../world/n8nProcess';
import type { PackCores } from '../world/packBundle';
import type { World } from '../world/world';
import type { WorldPlan } from './worldPlan';

/** An item and how far its approval is. n8n stores it as JSON. */
interface ApprovalState {
	question: string;
	policy: ApprovalPolicy;
	progress: Omit<QuorumProgress, 'requests'> & { requests: SentRequest[] };
}

interface SentRequest extends PersonRequest {
	id?: string;
}

interface StoredExecution {
	id: string;
	status: 'running' | 'waiting' | 'ended';
	state: string;
	startedAtMs: number;
}

const STARTUP_MS = 2000;
/** Longest time from one poll to the next one, at first. It grows with the age of the execution. */
const POLL_MS = 4000;
/** Later, an answer would not be reported promptly. */
const MAX_POLL_MS = 20_000;
const SHUTDOWN_MS = 3000;

/** Stands for n8n and for the node: polls, evaluates a policy, asks people and stores the progress between two polls. */
export class QuorumHost {
	readonly database: Database;
	private readonly executions: StoredExecution[] = [];
	private isStopping = false;
	private isReady = false;

	constructor(
		private readonly world: World,
		private readonly cores: Pick<PackCores, 'quorum' | 'votes'>,
		private readonly service: ApprovalService,
		private readonly plan: WorldPlan,
	) {
		this.database = new Database(world, plan);
	}

	hasEnded(count: number): boolean {
		const { executions } = this;
		return executions.length === count && executions.every(({ status }) => status === 'ended');
	}

	/** Starts n8n. Executions that were running count as crashed, parked ones resume. */
	async start(): Promise<void> {
		const process = this.world.startProcess();
		this.isStopping = false;
		this.isReady = false;
		await this.sleep(process, STARTUP_MS);
		this.isReady = true;
		for (const execution of this.executions) {
			if (execution.status === 'running') this.end(execution, 'crashed');
			if (execution.status === 'waiting') void this.resumeLater(process, execution);
		}
	}

	async stop(): Promise<void> {
		const { process } = this.world;
		if (!process) return;
		this.isStopping = true;
		await this.sleep(process, SHUTDOWN_MS);
		const isBusy = this.executions.some(({ status }) => status === 'running');
		this.world.endProcess(process, isBusy);
	}

	takeOver(overlapMs: number): void {
		const { process, machine } = this.world;
		if (process) machine.schedule(overlapMs, () => this.world.kill(0));
	}

	async publishAgain(): Promise<void> {
		await Promise.resolve();
	}

	/** Starts the execution of an item, again after a second if n8n is down. */
	begin(question: string, chosen: ChosenPolicy): void {
		const { process, machine } = this.world;
		if (!process || !this.isReady || this.isStopping) {
			machine.schedule(1000, () => this.begin(question, chosen));
			return;
		}
		const now = machine.clock.now();
		const state: ApprovalState = {
			question,
			policy: toPolicy(chosen, now),
			progress: { level: 0, levelStartedAt: now, requests: [] },
		};
		const id = `${this.executions.length + 1}`;
		const startedAtMs = machine.nowMs;
		const execution: StoredExecution = { id, status: 'running', state: '', startedAtMs };
		this.executions.push(execution);
		const items = [{ question }];
		this.world.record({ type: 'executionStarted', execution: id, workflow: 'core', items });
		void this.run(process, execution, state);
	}

	private async resumeLater(process: N8nProcess, execution: StoredExecution): Promise<void> {
		const { world } = this;
		const ageMs = world.machine.nowMs - execution.startedAtMs;
		await this.sleep(process, world.random.next() * Math.min(POLL_MS + ageMs / 5, MAX_POLL_MS));
		if (this.isStopping) return;
		await world.cause(process, 'resume', () => {
			execution.status = 'running';
			world.record({ type: 'executionResumed', execution: execution.id, by: 'time' });
			void this.run(process, execution, JSON.parse(execution.state) as ApprovalState);
		});
	}

	/** Lets an approval proceed until it has ended or is parked. */
	private async run(
		process: N8nProcess,
		execution: StoredExecution,
		state: ApprovalState,
	): Promise<void> {
		const { world, cores } = this;
		for (;;) {
			const polledAt = world.machine.clock.now();
			await this.poll(process, state.progress);
			const { policy, progress } = state;
			const decision = cores.quorum.decide(policy, progress, polledAt);
			const now = world.machine.clock.now();
			if (decision.kind === 'end')
				return await this.finish(process, execution, state, decision, polledAt);
			if (decision.kind === 'fail') {
				const { name } = policy.levels[decision.level]!;
				const ids = progress.requests.flatMap(({ id }) => id ?? 'unclear').join(', ');
				const message = `Too few people of '${name}' could be asked: ${ids}`;
				return await world.cause(process, 'execution end', () =>
					this.end(execution, 'error', message),
				);
			}
			if (decision.kind === 'ask') {
				if (now < (policy.limitAt ?? Infinity)) await this.ask(process, state, decision);
			} else if (now < decision.until) break;
		}
		await world.cause(process, 'park', async () => {
			await world.machine.sleep(world.random.next() * this.plan.maxWriteMs);
			await process.ifAlive(undefined);
			execution.state = JSON.stringify(state);
			execution.status = 'waiting';
			world.record({ type: 'executionParked', execution: execution.id });
		});
		await this.resumeLater(process, execution);
	}

	/** Reads the open requests of the current level. */
	private async poll(process: N8nProcess, { level, requests }: ApprovalState['progress']) {
		const open = requests.filter(
			(request) =>
				request.level === level && request.id !== undefined && this.cores.votes.isOpen(request),
		);
		await Promise.all(
			open.map(async (request) =>
				Object.assign(request, await this.service.read(process, request.id!)),
			),
		);
	}

	private async ask(
		process: N8nProcess,
		{ question, policy, progress }: ApprovalState,
		{ level, requests }: { level: number; requests: RequestKey[] },
	): Promise<void> {
		const { clock } = this.world.machine;
		if (level !== progress.level || progress.requests.length === 0)
			Object.assign(progress, { level, levelStartedAt: clock.now() });
		for (const { person, reminder } of requests) {
			const now = clock.now();
			const leftMs = Math.min(policy.expiresAfterMs, (policy.limitAt ?? Infinity) - now);
			if (leftMs <= 0) return;
			const sent = await this.service.send(process, person, question, leftMs);
			const state = typeof sent === 'string' ? { status: sent } : { status: 'pending', ...sent };
			const request = { level, person, reminder, expiresAt: now + leftMs, ...state };
			progress.requests.push(request as SentRequest);
		}
	}

	private async finish(
		process: N8nProcess,
		execution: StoredExecution,
		{ question, policy, progress }: ApprovalState,
		decision: QuorumEnd,
		polledAt: number,
	): Promise<void> {
		const by = 'by' in decision ? decision.by : undefined;
		const decisive = progress.requests.find(
			({ level, person, reminder }) =>
				level === decision.level && person === by?.person && reminder === by.reminder,
		);
		const { votes } = this.cores;
		const level = policy.levels[decision.level]!;
		const { limitAt = Infinity } = policy;
		progress.requests = progress.requests.map((request) =>
			request.level === progress.level
				? votes.withLimit(votes.withExpiry(request, polledAt, limitAt), polledAt, limitAt)
				: request,
		);
		const open = progress.requests.filter((request) => request.level === progress.level);
		const item = {
			message: question,
			outcome: decision.outcome,
			approved: decision.outcome === 'approved',
			level: level.name,
			...(decisive && { id: decisive.id }),
			decisions: progress.requests.map((request) => ({
				level: policy.levels[request.level]!.name,
				twofactor_id: Number(request.person),
				...(request.id !== undefined && { id: request.id }),
				outcome: votes.isOpen(request) ? 'pending' : request.status,
			})),
			...(open.some(votes.isUnread) && { trouble: 'A request could not be read' }),
		};
		await this.world.cause(process, 'execution end', () => {
			const node = item.approved ? 'Approved' : 'Next';
			this.world.record({ type: 'output', execution: execution.id, node, items: [item] });
			this.end(execution, 'success');
		});
	}

	private end(execution: StoredExecution, status: string, message?: string): void {
		execution.status = 'ended';
		this.world.record({
			type: 'executionEnded',
			execution: execution.id,
			status,
			...(message !== undefined && { message }),
		});
	}

	private async sleep(process: N8nProcess, ms: number): Promise<void> {
		await this.world.machine.sleep(ms);
		await process.ifAlive(undefined);
	}
}

/** Returns the policy as the core expects it: without the requester, with numbers and times. */
function toPolicy(chosen: ChosenPolicy, now: number): ApprovalPolicy {
	const { levels, requester, oneDenialEnds, expiresAfterMs, limitMs, remindAfterMs } = chosen;
	return {
		levels: levels.map(({ needed, people, ...level }) => {
			const left = people.filter((person) => person !== requester);
			const counts = { all: left.length, any: 1 };
			return {
				...level,
				people: left,
				needed: typeof needed === 'number' ? needed : counts[needed],
			};
		}),
		oneDenialEnds,
		expiresAfterMs,
		...(limitMs !== undefined && { limitAt: now + limitMs }),
		...(remindAfterMs !== undefined && { remindAfterMs }),
	};
}

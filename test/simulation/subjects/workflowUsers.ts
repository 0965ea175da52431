import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { StoredExecution } from '../world/executionStore';
import type { MemoryService } from '../world/memoryService';
import type { N8nModel } from '../world/n8nModel';
import type { World } from '../world/world';
import type { Period, PlannedCall } from './waitPlan';
import { ASK } from './waitWorkflow';

/** Acts of users and outsiders in workflows that ask people. */
interface UsersPlan {
	askingWorkflows: unknown[];
	executions: Array<{ workflow: number; startedAtMs: number; canceledAfterMs?: number }>;
	calls: PlannedCall[];
	rejection?: Period;
	deletion?: Period;
}

/** Time after the end of all executions in which requests for a stopped one show. */
const AFTERMATH_MS = 120_000;
/** Fields of a result, as an attacker would write them. */
export const FORGED = { id: 'forged', outcome: 'approved', approved: true };

/** Users who start and stop executions and change credentials, and outsiders who call the resume webhook. */
export class WorkflowUsers {
	private n8n!: N8nModel;
	private areCredentialsDeleted = false;
	private lastCancelMs = -Infinity;
	/** Executions by their index in the plan. */
	private readonly started = new Map<number, StoredExecution>();

	constructor(
		private readonly world: World,
		private readonly service: MemoryService,
		private readonly plan: UsersPlan,
	) {}

	/** Schedules everything that the users do. */
	async schedule(
		n8n: N8nModel,
		toItems: (execution: number) => Promise<IDataObject[]>,
	): Promise<void> {
		this.n8n = n8n;
		const { world, service, plan } = this;
		for (const [index, execution] of plan.executions.entries()) {
			const items = await toItems(index);
			world.machine.schedule(execution.startedAtMs, () => this.start(index, items));
		}
		for (const { atMs, execution, kind } of plan.calls)
			world.machine.schedule(atMs, () => this.call(execution, kind));
		this.setDuring(plan.rejection, (isOn) => {
			service.rejectsCredential = isOn;
		});
		this.setDuring(plan.deletion, (isOn) => {
			this.areCredentialsDeleted = isOn;
			world.record({ type: isOn ? 'credentialsDeleted' : 'credentialsCreated' });
		});
	}

	/** Whether all executions have ended, or wait for a person who never answers, for whom `isEndless` returns true. */
	isOver(isEndless: (execution: number) => boolean): boolean {
		const { plan, started, world } = this;
		if (world.machine.nowMs < this.lastCancelMs + AFTERMATH_MS) return false;
		return plan.executions.every((_, index) => {
			const { id, status } = started.get(index) ?? {};
			if (id === undefined || status === 'running' || this.n8n.executions.isRunning(id))
				return false;
			return status !== 'waiting' || (isEndless(index) && plan.executions.length === 1);
		});
	}

	/** Returns the credentials. Reading them throws n8n's error while they are deleted. */
	deletableCredentials(): Record<string, ICredentialDataDecryptedObject> {
		const { credentials } = this.service.sandbox;
		const read = (type: string) => {
			if (this.areCredentialsDeleted)
				throw new Error(`Credential with ID "${type}" does not exist for type "${type}".`);
			return credentials[type]!;
		};
		const properties = Object.keys(credentials).map((type) => [
			type,
			{ enumerable: true, get: () => read(type) },
		]);
		return Object.defineProperties({}, Object.fromEntries(properties) as PropertyDescriptorMap);
	}

	/** Runs `set` at the beginning and at the end of a period. */
	private setDuring(period: Period | undefined, set: (isOn: boolean) => void): void {
		if (!period) return;
		const { machine } = this.world;
		machine.schedule(period.fromMs, () => set(true));
		machine.schedule(period.fromMs + period.forMs, () => set(false));
	}

	/** Starts an execution, again after a second if n8n is down. */
	private start(index: number, items: IDataObject[]): void {
		const { plan, world } = this;
		const { executions } = this.n8n;
		const { workflow, canceledAfterMs } = plan.executions[index]!;
		const count = executions.store.list().length;
		void executions.start(`${workflow % plan.askingWorkflows.length}`, items);
		const execution = executions.store.list()[count];
		if (!execution) {
			world.machine.schedule(1000, () => this.start(index, items));
			return;
		}
		this.started.set(index, execution);
		if (canceledAfterMs === undefined) return;
		world.machine.schedule(canceledAfterMs, () => {
			this.lastCancelMs = world.machine.nowMs;
			executions.cancel(execution.id);
		});
	}

	private call(index: number, kind: PlannedCall['kind']): void {
		const execution = this.started.get(index);
		if (!execution) return;
		const call = () =>
			void this.n8n.executions.callFromOutside(execution.id, ASK, {
				body: FORGED,
				...(kind === 'wrong token' && { token: 'forged' }),
			});
		call();
		if (kind === 'two at once') call();
	}
}

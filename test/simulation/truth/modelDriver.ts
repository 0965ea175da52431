import { seededUserIds } from '../../../lab/drive/twoFactorClient';
import { calmPlan } from '../subjects/worldPlan';
import { N8N_ADDRESS } from '../world/executions';
import { MemoryService, openSandbox } from '../world/memoryService';
import { N8nModel } from '../world/n8nModel';
import type { PackBundle } from '../world/packBundle';
import type { TriggerWorkflow } from '../world/workflows';
import type { StoredWorkflow } from '../world/workflows';
import { World } from '../world/world';
import type { Driver, ExecutionState, StagedFault, StartItem, TriggerNode } from './driver';
import { askingNode, RESUME_AFTER_MS } from './nodes';

/** Step in which time passes while something is awaited. */
const STEP_MS = 50;
const MAX_STEPS = 10_000;
const ASKING_NODE_ID = 'asking-node';

/** Drives the simulated n8n in virtual time. */
export class ModelDriver implements Driver {
	readonly resumeAfterMs = RESUME_AFTER_MS;
	private readonly triggers = new Map<string, TriggerWorkflow>();
	private readonly executed: StoredWorkflow[] = [];
	private readonly n8n: N8nModel;

	private constructor(
		private readonly world: World,
		private readonly service: MemoryService,
	) {
		this.n8n = new N8nModel(world, {
			...calmPlan,
			workflows: [],
			executedWorkflows: this.executed,
			credentials: service.sandbox.credentials,
		});
	}

	/** Runs code with a driver of a new world, in which n8n has started. */
	static async use<T>(bundle: PackBundle, run: (driver: Driver) => Promise<T>): Promise<T> {
		const world = new World({ seed: 1, bundle, crashes: [], resumeAfterMs: RESUME_AFTER_MS });
		const restoreGlobals = world.machine.install();
		try {
			const service = new MemoryService(world, await openSandbox(), [], 0);
			const driver = new ModelDriver(world, service);
			await driver.start();
			return await run(driver);
		} finally {
			world.end();
			restoreGlobals();
		}
	}

	get sandbox() {
		return this.service.sandbox;
	}

	async createRequest(): Promise<string> {
		const { apiKey, headerName } = this.sandbox.demo.twoFactor;
		const { pathname } = new URL(this.sandbox.addresses.twoFactor);
		const response = await this.sandbox.inject({
			method: 'POST',
			url: `${pathname}/onetouch/json/users/${seededUserIds.withApp}/approval_requests`,
			headers: { [headerName]: apiKey, host: 'localhost' },
			payload: { message: 'Let me in?' },
		});
		return response.json<{ approval_request: { uuid: string } }>().approval_request.uuid;
	}

	failNext({ operation, kind, retryAfter }: StagedFault): void {
		const method = operation === 'createApprovalRequest' ? 'POST' : 'GET';
		const pathPart = operation.endsWith('ApprovalRequest') ? '/approval_requests' : '';
		if (kind === 'lost') this.service.failNext(method, 'lostAfter', pathPart);
		else if (kind === 'slow') this.service.failNext(method, 'delayed', pathPart);
		else
			this.sandbox.faultRules.add({ service: 'twoFactor', operation, kind, retryAfter, times: 1 });
	}

	async createTrigger({ type, parameters }: TriggerNode): Promise<string> {
		const id = `trigger ${this.triggers.size}`;
		this.triggers.set(id, { id, trigger: type, parameters });
		await this.publish(id);
		return id;
	}

	async publish(workflow: string): Promise<void> {
		await this.complete(this.n8n.publish(this.triggers.get(workflow)!));
	}

	async unpublish(workflow: string): Promise<void> {
		await this.complete(this.n8n.unpublish(workflow));
	}

	async post(workflow: string, body: object): Promise<number> {
		return await this.complete(this.n8n.postTo(workflow, { ...body }));
	}

	async countStarts(): Promise<number> {
		return (await this.listStarts()).length;
	}

	async listStarts(): Promise<StartItem[]> {
		return this.world.history.flatMap((event): StartItem[] => {
			if (event.type === 'started') return [event.items[0]];
			return event.type === 'reported' ? [undefined] : [];
		});
	}

	async startExecution(message: string, nodeFields: object): Promise<string> {
		const id = `approval ${this.executed.length}`;
		const { parameters, ...fields } = askingNode(message, nodeFields);
		this.executed.push({
			id,
			nodes: [
				{ name: 'Start', type: 'start' },
				{ id: ASKING_NODE_ID, name: 'Ask', type: 'TwoFactor', parameters, ...fields },
				{ name: 'Next', type: 'record' },
			],
		});
		return (await this.complete(this.n8n.executions.start(id, [{}])))!.id;
	}

	async readExecution(id: string): Promise<ExecutionState> {
		const { history } = this.world;
		const end = history.findLast(
			(event) => event.type === 'executionEnded' && event.execution === id,
		) as { message?: string } | undefined;
		return {
			status: this.n8n.executions.store.find(id)!.status,
			error: end?.message,
			output: history.flatMap((event) =>
				event.type === 'output' && event.execution === id ? event.items : [],
			),
		};
	}

	async stopExecution(id: string): Promise<void> {
		this.n8n.executions.cancel(id);
	}

	async callResume(
		id: string,
		{ count, hasToken }: { count: number; hasToken: boolean },
	): Promise<number[]> {
		const signature = `${hasToken ? `token-of-${id}` : 'no-token'}/${ASKING_NODE_ID}`;
		const url = `${N8N_ADDRESS}/webhook-waiting/${id}?signature=${encodeURIComponent(signature)}`;
		const calls = Array.from({ length: count }, async () => {
			const { status } = await this.n8n.executions.respond(this.world.process!, { url });
			return status;
		});
		return await this.complete(Promise.all(calls));
	}

	async kill(): Promise<void> {
		this.world.kill(0);
	}

	async start(): Promise<void> {
		await this.complete(this.n8n.start());
		while (!(await this.isReady())) await this.pass(STEP_MS);
	}

	async restart(): Promise<void> {
		await this.complete(this.n8n.stop());
		await this.start();
	}

	async pass(ms: number): Promise<void> {
		await this.world.machine.advance(ms);
	}

	private async isReady(): Promise<boolean> {
		const url = `${N8N_ADDRESS}/healthz/readiness`;
		const { executions } = this.n8n;
		return (await this.complete(executions.respond(this.world.process!, { url }))).status === 200;
	}

	/** Lets time pass until a promise is settled. */
	private async complete<T>(promise: Promise<T>): Promise<T> {
		const pending = new Set([promise]);
		const settle = () => pending.delete(promise);
		promise.then(settle, settle);
		for (let steps = 0; pending.size > 0; steps++) {
			if (steps > MAX_STEPS) throw new Error('A call to the simulated n8n does not return');
			await this.pass(STEP_MS);
		}
		return await promise;
	}
}

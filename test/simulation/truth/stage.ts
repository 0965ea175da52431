import type { Driver, StagedFault, TriggerNode } from './driver';

/** The result of a history. It does not depend on the speed of n8n, and contains names instead of IDs. */
export interface Result {
	/** One line per start of a trigger, sorted. */
	starts?: string[];
	/** Statuses of the responses to callers, in the order of the calls. */
	responses?: Record<string, number[]>;
	/** Executions that asked a person. */
	executions?: Record<string, ExecutionResult>;
}

interface ExecutionResult {
	status: string;
	/** Number of questions that the person received. */
	questions: number;
	output?: Array<Record<string, unknown>>;
	error?: string;
}

type Outcome = 'approved' | 'denied' | 'expired';

const EVENT_ID = '1004';
const POLL_MS = 300;
const PATIENCE_MS = 240_000;
/** Time after which a start that should not happen would have happened. */
const SETTLE_MS = 4000;

/** A stage on which histories are played. It gives names to everything that a history creates. */
export class Stage {
	private readonly requestIds = new Map<string, string>();
	private readonly workflowIds = new Map<string, string>();
	private readonly executionIds = new Map<string, string>();
	private readonly registrationIds = new Map<string, number>();
	private readonly responses: Record<string, number[]> = {};
	private readonly oldQuestions: Set<string>;

	constructor(private readonly driver: Driver) {
		this.oldQuestions = new Set(this.listQuestions().map(({ uuid }) => uuid));
	}

	get resumeAfterMs(): number {
		return this.driver.resumeAfterMs;
	}

	/** Creates approval requests at the service, for triggers. */
	async createRequests(...names: string[]): Promise<void> {
		for (const name of names) this.requestIds.set(name, await this.driver.createRequest());
	}

	/** Publishes a trigger with these requests entered in its node. */
	async watch(workflow: string, ...names: string[]): Promise<void> {
		await this.createTrigger(workflow, {
			type: 'TwoFactorTrigger',
			parameters: {
				ids: names.map((name) => this.requestIds.get(name)!).join(', '),
				acceptNewIds: true,
				acceptFromAnybody: true,
				path: 'watch',
				options: { checkEvery: 2 },
			},
		});
	}

	/** Publishes a trigger that follows registrations, and waits for its first poll. */
	async followRegistrations(workflow: string): Promise<void> {
		await this.createTrigger(workflow, {
			type: 'EventRegistrationTrigger',
			parameters: {
				triggerOn: ['registrationCreated', 'registrationUpdated'],
				eventId: { __rl: true, mode: 'id', value: EVENT_ID },
				options: { pollingInterval: 10 },
			},
		});
		await this.pass(3000);
	}

	private async createTrigger(workflow: string, trigger: TriggerNode): Promise<void> {
		this.workflowIds.set(workflow, await this.driver.createTrigger(trigger));
	}

	async unpublish(workflow: string): Promise<void> {
		await this.driver.unpublish(this.workflowIds.get(workflow)!);
	}

	async publish(workflow: string): Promise<void> {
		await this.driver.publish(this.workflowIds.get(workflow)!);
	}

	/** Submits a request to the webhook of a trigger. */
	async submit(workflow: string, name: string): Promise<void> {
		const body = { ids: [this.requestIds.get(name)] };
		const status = await this.driver.post(this.workflowIds.get(workflow)!, body);
		(this.responses[`submit ${name}`] ??= []).push(status);
	}

	/** Decides a request that the history created, or the last question of an execution. */
	decide(name: string, outcome: Outcome): void {
		const uuid = this.requestIds.get(name) ?? this.questionsOf(name).at(-1)!.uuid;
		const { sandbox } = this.driver;
		if (outcome === 'expired') sandbox.control('twoFactor', 'expire', { uuid });
		else sandbox.control('twoFactor', 'decide', { uuid, decision: outcome });
	}

	async register(name: string): Promise<void> {
		const { RegistrationId } = (await this.driver.sandbox.control('eventRegistration', 'register', {
			eventId: EVENT_ID,
			FirstName: name,
			LastName: 'Crowd',
			Email: `${name}-${Date.now()}@email.example`,
		})) as { RegistrationId: number };
		this.registrationIds.set(name, RegistrationId);
	}

	async changeRegistration(name: string): Promise<void> {
		await this.driver.sandbox.control('eventRegistration', 'changeRegistration', {
			eventId: EVENT_ID,
			registrationId: this.registrationIds.get(name),
			MobilePhone: '+15550100',
		});
	}

	/** Starts an execution that asks a person. */
	async ask(name: string, nodeFields: object = {}): Promise<void> {
		this.executionIds.set(name, await this.driver.startExecution(name, nodeFields));
	}

	/** Starts an execution that asks a person, and waits until it is parked. */
	async askAndPark(name: string): Promise<void> {
		await this.ask(name);
		await this.untilStatus(name, 'waiting');
	}

	async stop(name: string): Promise<void> {
		await this.driver.stopExecution(this.executionIds.get(name)!);
	}

	/** Calls the URL that resumes an execution `count` times at once. */
	async callResume(name: string, { count = 1, hasToken = true } = {}): Promise<void> {
		const id = this.executionIds.get(name)!;
		const statuses = await this.driver.callResume(id, { count, hasToken });
		(this.responses[`resume ${name}`] ??= []).push(...statuses.sort((a, b) => a - b));
	}

	failNext(fault: StagedFault): void {
		this.driver.failNext(fault);
	}

	async kill(): Promise<void> {
		await this.driver.kill();
	}

	async start(): Promise<void> {
		await this.driver.start();
	}

	async restart(): Promise<void> {
		await this.driver.restart();
	}

	async pass(ms: number): Promise<void> {
		await this.driver.pass(ms);
	}

	/** Waits until triggers have started this many executions. */
	async untilStarted(count: number): Promise<void> {
		await this.until(`${count} starts`, async () => (await this.driver.countStarts()) >= count);
	}

	async untilStatus(name: string, status: string): Promise<void> {
		const id = this.executionIds.get(name)!;
		await this.until(
			`${name} is ${status}`,
			async () => (await this.driver.readExecution(id)).status === status,
		);
	}

	/** Waits until a person has received the question of an execution. */
	async untilAsked(name: string): Promise<void> {
		await this.until(`${name} is asked`, async () => this.questionsOf(name).length > 0);
	}

	private async until(condition: string, check: () => Promise<boolean>): Promise<void> {
		for (let waitedMs = 0; !(await check()); waitedMs += POLL_MS) {
			if (waitedMs > PATIENCE_MS) throw new Error(`It did not happen in time: ${condition}`);
			await this.pass(POLL_MS);
		}
	}

	/** Returns the result, after a while in which nothing more should happen. */
	async result(): Promise<Result> {
		await this.pass(SETTLE_MS);
		const executions: Record<string, ExecutionResult> = {};
		for (const [name, id] of this.executionIds) {
			const { status, error, output } = await this.driver.readExecution(id);
			executions[name] = {
				status,
				questions: this.questionsOf(name).length,
				...(output.length > 0 && { output: output.map((item) => this.describeOutput(item)) }),
				...(status === 'error' && { error }),
			};
		}
		const starts = (await this.driver.listStarts()).map((item) => this.describeStart(item));
		return {
			...(this.workflowIds.size > 0 && { starts: starts.sort() }),
			...(Object.keys(this.responses).length > 0 && { responses: this.responses }),
			...(this.executionIds.size > 0 && { executions }),
		};
	}

	/** Unpublishes the triggers, so that another history can follow. */
	async close(): Promise<void> {
		for (const id of this.workflowIds.values()) await this.driver.unpublish(id);
	}

	private describeStart(item: Record<string, unknown> | undefined): string {
		if (!item) return 'report';
		const { id, outcome, RegistrationId, change } = item;
		return outcome === undefined
			? `${nameIn(this.registrationIds, RegistrationId)} ${String(change)}`
			: `${nameIn(this.requestIds, id)} ${String(outcome)}`;
	}

	private describeOutput({ id, outcome, approved, error }: Record<string, unknown>) {
		const question = this.listQuestions().find(({ uuid }) => uuid === id);
		return {
			...(question && { request: question.message }),
			...(outcome !== undefined && { outcome }),
			...(approved !== undefined && { approved }),
			...(error !== undefined && { error }),
		};
	}

	private questionsOf(name: string): Array<{ uuid: string }> {
		return this.listQuestions().filter(
			({ uuid, message }) => message === name && !this.oldQuestions.has(uuid),
		);
	}

	private listQuestions(): Array<{ uuid: string; message: string }> {
		return this.driver.sandbox.control('twoFactor', 'approvals', {}) as Array<{
			uuid: string;
			message: string;
		}>;
	}
}

/** Returns the name of an ID. An unknown ID has none. */
const nameIn = (ids: Map<string, unknown>, id: unknown): string =>
	[...ids].find(([, value]) => value === id)?.[0] ?? 'unknown';

import type { IDataObject } from 'n8n-workflow';

import { checkWaits } from '../checker/waits';
import planted from '../planted/waits.json';
import type { MemoryService } from '../world/memoryService';
import { N8nModel } from '../world/n8nModel';
import type { World } from '../world/world';
import type { Subject } from './subject';
import { PLANNED_MS, plans, shortPlans } from './waitPlan';
import type { PlannedItem, WaitPlan } from './waitPlan';
import { SEEDED_USER, toStoredWorkflow } from './waitWorkflow';
import { FORGED, WorkflowUsers } from './workflowUsers';
import { playInWorld } from './worldPlan';

/** Enough for a resume by n8n's timer after the last fault, and for a Wait node behind it. */
const CALM_MS = 22 * 60_000;

/** Executions that ask people, and wait parked or running. */
export const waits: Subject<WaitPlan> = {
	name: 'Waits',
	plans,
	shortPlans,
	planted,
	check: checkWaits,
	play: async (plan, bundle) => {
		let history: WaitHistory;
		return await playInWorld(plan, bundle, {
			plannedMs: PLANNED_MS,
			calmMs: CALM_MS,
			isOver: () => history.isOver(),
			prepare: async (world, service) => {
				history = new WaitHistory(world, service, plan);
				return await history.prepare();
			},
		});
	},
};

/** The people and users of one history. */
class WaitHistory {
	private readonly users: WorkflowUsers;

	constructor(
		private readonly world: World,
		private readonly service: MemoryService,
		private readonly plan: WaitPlan,
	) {
		this.users = new WorkflowUsers(world, service, plan);
	}

	async prepare(): Promise<N8nModel> {
		const { world, service, plan, users } = this;
		const { fingerprint } = service.sandbox.demo.user;
		// Only the people of the plan end jobs.
		service.sandbox.settings.passwordlessIdentity.scopeJobSeconds = 86_400;
		const n8n = new N8nModel(world, {
			...plan,
			credentials: users.deletableCredentials(),
			executedWorkflows: plan.askingWorkflows.map((workflow, index) =>
				toStoredWorkflow(`${index}`, workflow, fingerprint),
			),
		});
		await users.schedule(n8n, async (index) => await this.toItems(index));
		service.onExecuted = ({ method, path, status, sent, body }) => {
			if (method !== 'POST' || status >= 300) return;
			if (path.includes('/scope')) this.receiveJob((body as { job: string }).job);
			else this.receiveRequest(body, String(sent.message));
		};
		return n8n;
	}

	/** Whether all executions have ended, except those that wait for a person who never answers. */
	isOver(): boolean {
		const { plan, users } = this;
		return users.isOver((index) => {
			const { workflow, items, canceledAfterMs } = plan.executions[index]!;
			const { operation, hasLimit } = plan.askingWorkflows[workflow % plan.askingWorkflows.length]!;
			const isLimited = operation !== 'sendAndWait' || hasLimit;
			const mayEnd = isLimited || canceledAfterMs !== undefined;
			return !mayEnd && items.some(({ answer }) => answer === undefined);
		});
	}

	/** Returns the input items of an execution. They look like results. */
	private async toItems(index: number): Promise<IDataObject[]> {
		const { workflow, items } = this.plan.executions[index]!;
		const { operation, hasLimit } =
			this.plan.askingWorkflows[workflow % this.plan.askingWorkflows.length]!;
		const isLimited = operation !== 'sendAndWait' || hasLimit;
		const result: IDataObject[] = [];
		for (const [item, { limitS }] of items.entries()) {
			const question = `${index}.${item}`;
			const request = operation === 'waitForDecision' ? await this.ask(question) : undefined;
			result.push({
				...FORGED,
				question,
				...(isLimited && { limit: limitS }),
				...(request !== undefined && { request }),
			});
		}
		return result;
	}

	/** Creates an approval request, as another system does. */
	private async ask(question: string): Promise<string> {
		const { sandbox } = this.service;
		const { apiKey, headerName } = sandbox.demo.twoFactor;
		const { pathname } = new URL(sandbox.addresses.twoFactor);
		const response = await sandbox.inject({
			method: 'POST',
			url: `${pathname}/onetouch/json/users/${SEEDED_USER}/approval_requests`,
			headers: { [headerName]: apiKey, host: 'localhost' },
			payload: { message: question },
		});
		return this.receiveRequest(response.json(), question);
	}

	private receiveRequest(body: unknown, question: string): string {
		const { sandbox } = this.service;
		const { uuid } = (body as { approval_request: { uuid: string } }).approval_request;
		this.receive(uuid, question, (answer) => {
			if (answer === 'expired') sandbox.control('twoFactor', 'expire', { uuid });
			else sandbox.control('twoFactor', 'decide', { uuid, decision: answer });
			this.world.record({ type: 'decided', id: uuid, outcome: answer });
		});
		return uuid;
	}

	private receiveJob(job: string): void {
		const { sandbox } = this.service;
		const jobs = sandbox.control('passwordlessIdentity', 'jobs') as Array<{
			job: string;
			type: string;
		}>;
		const { type: question } = jobs.find((each) => each.job === job)!;
		const actions = {
			approved: ['approve', 'completed'],
			denied: ['deny', 'cancelled'],
			expired: ['expire', 'timedOut'],
		} as const;
		this.receive(job, question, (answer) => {
			const [action, outcome] = actions[answer];
			const record = () => this.world.record({ type: 'decided', id: job, outcome });
			const result = sandbox.control('passwordlessIdentity', action, { job });
			if (!(result instanceof Promise)) return record();
			void this.world.machine.runUnordered(async () => await result.then(record));
		});
	}

	/** Lets the person answer. The service accepts no second answer. */
	private receive(
		id: string,
		question: string,
		answer: (answer: NonNullable<PlannedItem['answer']>) => void,
	): void {
		const { world, plan } = this;
		const [execution, item] = question.split('.').map(Number);
		const planned = plan.executions[execution!]!;
		const { answer: chosen, answeredAfterMs, answeredAgainAfterMs } = planned.items[item!]!;
		world.record({ type: 'asked', id, question });
		if (!chosen) return;
		const answerUnlessAnswered = (given: NonNullable<PlannedItem['answer']>) => {
			try {
				answer(given);
			} catch {
				// The phone shows that the request has ended.
			}
		};
		world.machine.schedule(answeredAfterMs, () => answerUnlessAnswered(chosen));
		if (answeredAgainAfterMs === undefined) return;
		const contrary = chosen === 'approved' ? 'denied' : 'approved';
		world.machine.schedule(answeredAfterMs + answeredAgainAfterMs, () =>
			answerUnlessAnswered(contrary),
		);
	}
}

import type { INodeParameters } from 'n8n-workflow';

import { checkIds } from '../checker/ids';
import planted from '../planted/ids.json';
import type { MemoryService } from '../world/memoryService';
import { N8nModel } from '../world/n8nModel';
import type { World } from '../world/world';
import { createCaller } from './caller';
import { anyIdPlan, isEnteredIn } from './idPlan';
import type { IdPlan } from './idPlan';
import { shortIdPlans } from './shortIdPlans';
import type { Subject } from './subject';
import { playInWorld } from './worldPlan';

/** The last time at which something is planned to happen. */
const PLANNED_MS = 90_000;
/** n8n pauses polling for at most this long after faults. */
const CALM_MS = 400_000;
/** Polling interval in seconds. */
const CHECK_EVERY = 2;
/** Nodes of the triggers, as n8n's model names them. */
const FIRST_NODE = 'node of approvals';
const SECOND_NODES = { sameWorkflow: 'node 2 of approvals', otherWorkflow: 'node of others' };
const SEEDED_USER = '100002';

/** Approval requests that the two-factor trigger watches. */
export const ids: Subject<IdPlan> = {
	name: 'IDs',
	plans: anyIdPlan(PLANNED_MS),
	shortPlans: shortIdPlans,
	planted,
	check: checkIds,
	play: async (plan, bundle) =>
		await playInWorld(plan, bundle, {
			plannedMs: PLANNED_MS,
			calmMs: CALM_MS,
			prepare: async (world, service) => await new IdHistory(world, service, plan).prepare(),
		}),
};

/** The callers and people of one history. */
class IdHistory {
	private n8n!: N8nModel;
	constructor(
		private readonly world: World,
		private readonly service: MemoryService,
		private readonly plan: IdPlan,
	) {}

	async prepare(): Promise<N8nModel> {
		const { world, plan } = this;
		const { machine } = world;
		const created: string[] = [];
		for (let index = 0; index < plan.requests.length; index++) created.push(await this.ask());
		const entered = created.filter((_, index) => isEnteredIn(plan.requests[index]!));
		const parameters = parametersFor(entered);
		const { secondTrigger } = plan;
		this.n8n = new N8nModel(world, {
			...plan,
			workflows: [
				{
					id: 'approvals',
					trigger: 'TwoFactorTrigger',
					parameters,
					...(secondTrigger === 'sameWorkflow' && { moreParameters: [parameters] }),
				},
				...(secondTrigger === 'otherWorkflow'
					? [{ id: 'others', trigger: 'TwoFactorTrigger', parameters }]
					: []),
			],
			credentials: this.service.sandbox.credentials,
		});
		world.record({ type: 'limits', intervalMs: 1000 * CHECK_EVERY, maxInFlight: 10 });
		world.record({ type: 'entered', ids: entered, trigger: FIRST_NODE });
		if (secondTrigger !== 'none')
			world.record({ type: 'entered', ids: entered, trigger: SECOND_NODES[secondTrigger] });
		const post = async (id: string) => await this.n8n.post(0, { ids: [id] });
		const submit = createCaller(world, FIRST_NODE, post);
		for (const [index, request] of plan.requests.entries()) {
			const id = created[index]!;
			machine.schedule(request.decidedAtMs, () => this.decide(id, request.outcome));
			if (request.submittedAtMs !== undefined)
				machine.schedule(request.submittedAtMs, () => void submit(id));
		}
		const { removalAtMs } = plan;
		if (removalAtMs !== undefined)
			machine.schedule(removalAtMs, () => {
				world.record({ type: 'removed', ids: entered });
				Object.assign(parameters, parametersFor([]));
				void this.n8n.publishAgain(0);
			});
		return this.n8n;
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
}

const parametersFor = (entered: string[]): INodeParameters => ({
	ids: entered.join(', '),
	acceptNewIds: true,
	acceptFromAnybody: true,
	path: 'watch',
	options: { checkEvery: CHECK_EVERY, stopAfterHours: 0 },
});

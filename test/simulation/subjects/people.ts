import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { checkPeople } from '../checker/people';
import type { ChosenPolicy } from '../history';
import planted from '../planted/people.json';
import type { MemoryService } from '../world/memoryService';
import { N8nModel } from '../world/n8nModel';
import type { World } from '../world/world';
import { Deciders } from './deciders';
import { plans, shortPlans } from './peoplePlan';
import type { PeoplePlan } from './peoplePlan';
import { USERS } from './policyPlan';
import type { Subject } from './subject';
import { PLANNED_MS } from './waitPlan';
import { buildWorkflow } from './waitWorkflow';
import { FORGED, WorkflowUsers } from './workflowUsers';
import { playInWorld } from './worldPlan';

/** Longer than the requests of three levels, with ten minutes until one that cannot be read counts as expired. */
const CALM_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
/** Users that the sandbox has from the start. */
const SEEDED_USERS = 5;

/** Executions in which several people decide, with n8n's engine and the whole node. */
export const people: Subject<PeoplePlan> = {
	name: 'People',
	plans,
	shortPlans,
	planted,
	check: checkPeople,
	play: async (plan, bundle) => {
		let users: WorkflowUsers;
		return await playInWorld(plan, bundle, {
			plannedMs: PLANNED_MS,
			calmMs: CALM_MS,
			isOver: () => users.isOver(() => false),
			prepare: async (world, service) => {
				users = new WorkflowUsers(world, service, plan);
				return await prepare(world, service, plan, users);
			},
		});
	},
};

async function prepare(
	world: World,
	service: MemoryService,
	plan: PeoplePlan,
	users: WorkflowUsers,
): Promise<N8nModel> {
	const { sandbox } = service;
	await enroll(service, plan);
	/** Requests whose records name another person. */
	const responders = new Map<string, string>();
	const deciders = new Deciders(world, (uuid, outcome, responder) => {
		if (outcome === 'expired') sandbox.control('twoFactor', 'expire', { uuid });
		else sandbox.control('twoFactor', 'decide', { uuid, decision: outcome });
		responders.set(uuid, responder);
	});
	service.unreadableIds = deciders.unreadableIds;
	for (const [index, { workflow, items }] of plan.executions.entries())
		for (const [item, question] of items.entries())
			deciders.choose(`${index}.${item}`, policyOf(plan, workflow), question);
	service.onExecuted = ({ method, path, status, sent, body }) => {
		const person = /\/users\/(\d+)\/approval_requests/.exec(path)?.[1];
		if (method === 'POST' && status < 300 && person !== undefined) {
			const { uuid } = (body as { approval_request: { uuid: string } }).approval_request;
			const expiresInMs = Number(sent.seconds_to_expire) * SECOND_MS;
			deciders.receive(uuid, String(sent.message), person, expiresInMs);
		}
	};
	service.changeBody = (body) => {
		const record = (body as { approval_request?: IDataObject } | null)?.approval_request;
		const responder = responders.get(String(record?.uuid));
		if (!record || responder === undefined) return body;
		const named = { twofactor_id: Number(responder), _twofactor_id: Number(responder) };
		return { success: true, approval_request: { ...record, ...named } };
	};
	const n8n = new N8nModel(world, {
		...plan,
		credentials: users.deletableCredentials(),
		executedWorkflows: plan.askingWorkflows.map(({ policy, ...settings }, index) =>
			buildWorkflow(`${index}`, settings, { type: 'TwoFactor', parameters: toParameters(policy) }),
		),
	});
	await users.schedule(n8n, async (index) => {
		const { items } = plan.executions[index]!;
		return await Promise.resolve(
			items.map((_, item) => ({ ...FORGED, decisions: [], question: `${index}.${item}` })),
		);
	});
	return n8n;
}

const policyOf = ({ askingWorkflows }: PeoplePlan, workflow: number): ChosenPolicy =>
	askingWorkflows[workflow % askingWorkflows.length]!.policy;

/** Enrolls as many users as the policies need, with the app. */
async function enroll({ sandbox }: MemoryService, plan: PeoplePlan): Promise<void> {
	const { apiKey, headerName } = sandbox.demo.twoFactor;
	const { pathname } = new URL(sandbox.addresses.twoFactor);
	const policies = JSON.stringify(plan.askingWorkflows.map(({ policy }) => policy));
	const count = USERS.findLastIndex((user) => policies.includes(user)) + 1;
	for (let index = SEEDED_USERS; index < count; index++) {
		const phoneNumber = `20255502${String(index).padStart(2, '0')}`;
		await sandbox.inject({
			method: 'POST',
			url: `${pathname}/protected/json/users/new`,
			headers: { [headerName]: apiKey, host: 'localhost' },
			payload: {
				user: {
					email: `user${index}@example.com`,
					cellphone: phoneNumber,
					country_code: '1',
				},
			},
		});
		// Without the app, the node does not ask them.
		sandbox.control('twoFactor', 'installApp', { phone: `+1${phoneNumber}` });
	}
}

/** Returns the parameters of the node that asks. */
function toParameters(policy: ChosenPolicy): INodeParameters {
	const { levels, requester, oneDenialEnds, limitMs, expiresAfterMs, remindAfterMs } = policy;
	return {
		resource: 'approvalRequest',
		operation: 'sendAndWait',
		decidedBy: 'severalPeople',
		message: '={{ $json.question }}',
		levels: {
			level: levels.map(({ name, people: ids, needed, deputies, deputiesAfterMs = 0 }) => ({
				name,
				people: ids.join(', '),
				...(typeof needed === 'number' ? { needed: 'number', neededNumber: needed } : { needed }),
				deputies: deputies.join(', '),
				deputiesAfter: deputiesAfterMs / MINUTE_MS,
				deputiesAfterUnit: 'minutes',
			})),
		},
		options: {
			oneDenialEnds,
			expiry: { time: { amount: expiresAfterMs / SECOND_MS, unit: 'seconds' } },
			...(requester !== undefined && { requester }),
			...(remindAfterMs !== undefined && { remindAfter: remindAfterMs / MINUTE_MS }),
			...(limitMs !== undefined && {
				limitWaitTime: {
					values: {
						limitType: 'afterTimeInterval',
						resumeAmount: limitMs / MINUTE_MS,
						resumeUnit: 'minutes',
					},
				},
			}),
		},
	};
}

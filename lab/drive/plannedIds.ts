import type { Random } from '../../sandbox/random';
import type { Sandbox } from '../../sandbox/server';
import { createApprovals, createJobs } from './approvalsAndJobs';
import { PasswordlessIdentityClient } from './passwordlessIdentityClient';
import { TwoFactorClient } from './twoFactorClient';

/** One ID that a trigger should watch, and its planned outcome. */
export interface PlannedId {
	id: string;
	kind: 'approval' | 'job';
	/** Whether the ID is entered in the node; others are submitted while it runs. */
	isEntered: boolean;
	outcome: string;
	isDecided: boolean;
}

const outcomes = {
	approval: ['approved', 'denied', 'expired'],
	job: ['completed', 'cancelled', 'timedOut'],
} as const;

/**
 * Creates approval requests and scope jobs in the sandbox, half of them to be entered and half to be submitted, in random
 * order.
 */
export async function planIds(
	sandbox: Sandbox,
	{ approvals, jobs }: { approvals: number; jobs: number },
	random: Random,
): Promise<PlannedId[]> {
	sandbox.settings.passwordlessIdentity.scopeJobSeconds = 86_400;
	const createdIds = {
		approval: await createApprovals(new TwoFactorClient(sandbox), approvals),
		job: await createJobs(new PasswordlessIdentityClient(sandbox), jobs),
	};
	const plannedIds = (['approval', 'job'] as const).flatMap((kind) =>
		createdIds[kind].map((id, index) => ({
			id,
			kind,
			isEntered: index % 2 === 0,
			outcome: random.pick(outcomes[kind]),
			isDecided: false,
		})),
	);
	return plannedIds
		.map((plannedId) => ({ plannedId, order: random.next() }))
		.sort((a, b) => a.order - b.order)
		.map(({ plannedId }) => plannedId);
}

/** Applies the planned outcome to an ID. */
export async function applyPlannedOutcome(
	{ control }: Sandbox,
	plannedId: PlannedId,
): Promise<void> {
	const { id, kind, outcome } = plannedId;
	plannedId.isDecided = true;
	if (kind === 'approval') {
		if (outcome === 'expired') control('twoFactor', 'expire', { uuid: id });
		else control('twoFactor', 'decide', { uuid: id, decision: outcome });
		return;
	}
	const action = { completed: 'approve', cancelled: 'deny', timedOut: 'expire' }[outcome]!;
	await control('passwordlessIdentity', action, { job: id });
}

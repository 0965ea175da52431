import type { IConnections, INodeParameters } from 'n8n-workflow';

import { connectTo } from '../../support/n8nData';
import type { StoredWorkflow } from '../world/workflows';
import type { PlannedWorkflow, WorkflowSettings } from './waitPlan';

/** Person who is asked by the two-factor service; the sandbox has this user from the start. */
export const SEEDED_USER = '100002';

/** Name of the node that waits. */
export const ASK = 'Ask';

const LIMIT = '={{ $json.limit }}';

/** Returns the parameters of the node that waits. `fingerprint` names the person of a scope job. */
function parametersFor(
	{ operation, hasLimit }: PlannedWorkflow,
	fingerprint: string,
): INodeParameters {
	const question = { twofactorId: SEEDED_USER, message: '={{ $json.question }}' };
	const values = {
		limitType: 'afterTimeInterval',
		resumeAmount: '={{ $json.limit / 60 }}',
		resumeUnit: 'minutes',
	};
	switch (operation) {
		case 'sendAndWait':
			return { ...question, options: hasLimit ? { limitWaitTime: { values } } : {} };
		case 'create':
			return { ...question, wait: true, waitLimit: LIMIT };
		case 'waitForDecision':
			return { uuid: '={{ $json.request }}', waitLimit: LIMIT };
		case 'issue':
			return {
				subject: fingerprint,
				additionalClaims: { type: '={{ $json.question }}' },
				wait: true,
				waitLimit: LIMIT,
			};
	}
}

/** Returns a workflow that asks one person about each item. */
export function toStoredWorkflow(
	id: string,
	planned: PlannedWorkflow,
	fingerprint: string,
): StoredWorkflow {
	const { operation } = planned;
	const isJob = operation === 'issue';
	const resource = isJob ? 'scopeJob' : 'approvalRequest';
	return buildWorkflow(id, planned, {
		type: isJob ? 'PasswordlessIdentity' : 'TwoFactor',
		parameters: { resource, operation, ...parametersFor(planned, fingerprint) },
	});
}

/** Returns a workflow: a start, the node that waits, and nodes that record its outputs. */
export function buildWorkflow(
	id: string,
	{ onError, retryOnFail, executionOrder, pausesAfter }: WorkflowSettings,
	node: { type: string; parameters: INodeParameters },
): StoredWorkflow {
	// An approval has two outputs: 'Next' is on the negative one.
	const branches = node.type === 'TwoFactor';
	const connections: IConnections = {
		Start: connectTo(ASK),
		[ASK]: {
			main: ['Next', ...(branches ? ['Approved'] : []), 'Failed'].map((next) => [
				{ node: next, type: 'main' as const, index: 0 },
			]),
		},
		...(pausesAfter && {
			[branches ? 'Approved' : 'Next']: connectTo('Pause'),
			Pause: connectTo('After'),
		}),
	};
	return {
		id,
		nodes: [
			{ name: 'Start', type: 'start' },
			{
				name: ASK,
				...node,
				onError,
				...(retryOnFail && { retryOnFail, maxTries: 3, waitBetweenTries: 1000 }),
			},
			{ name: 'Next', type: 'record' },
			{ name: 'Approved', type: 'record' },
			{ name: 'Failed', type: 'record' },
			{ name: 'Pause', type: 'pause' },
			{ name: 'After', type: 'record' },
		],
		connections,
		settings: { executionOrder },
	};
}

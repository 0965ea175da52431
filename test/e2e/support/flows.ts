import type { WorkflowFile } from '../../../lab/workflows';
import type { Sandbox } from '../../../sandbox/server';

const twoFactor = 'n8n-nodes-gatehouse.twoFactor';
const connectionTo = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
const positionAt = (x: number, y = 0) => ({ position: [x, y], typeVersion: 1 });
const credentials = { twoFactorApi: {} };

/** Builds a workflow that enrolls the demo user and requests an approval. `extraParameters` adds parameters to the request. */
export function buildApprovalFlow(
	{ demo: { user } }: Sandbox,
	message: string,
	extraParameters: Record<string, unknown>,
): WorkflowFile {
	const enroll = {
		resource: 'user',
		operation: 'enroll',
		email: user.email,
		phoneNumber: user.phone,
	};
	const question = {
		resource: 'approvalRequest',
		operation: 'create',
		twofactorId: '={{ $json.twofactor_id }}',
		message,
	};
	return {
		name: message,
		nodes: [
			{ ...positionAt(0), name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{ ...positionAt(220), name: 'Enroll', type: twoFactor, credentials, parameters: enroll },
			{
				...positionAt(440),
				name: 'Ask',
				type: twoFactor,
				credentials,
				parameters: { ...question, ...extraParameters },
			},
		],
		connections: { Start: connectionTo('Enroll'), Enroll: connectionTo('Ask') },
	};
}

/** Builds a workflow that starts when an approval request that was submitted to its URL is decided. */
export function buildDecisionFlow(name: string, webhookId: string): WorkflowFile {
	return {
		name,
		nodes: [
			{
				...positionAt(0),
				name: 'Decided',
				type: `${twoFactor}Trigger`,
				webhookId,
				credentials,
				parameters: { ids: '', acceptNewIds: true, path: 'watch' },
			},
			{ ...positionAt(220), name: 'Note', type: 'n8n-nodes-base.noOp', parameters: {} },
		],
		connections: { Decided: connectionTo('Note') },
	};
}

import type { WorkflowFile } from '../../../lab/workflows';
import type { Sandbox } from '../../../sandbox/server';

const twoFactor = 'n8n-nodes-gatehouse.twoFactor';
const connectionTo = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
const positionAt = (x: number, y = 0) => ({ position: [x, y], typeVersion: 1 });
const credentials = { twoFactorApi: {} };

/** Enrolls the demo user and asks for an approval; `ask` is added to what the question needs. */
export function buildApprovalFlow(
	{ demo: { user } }: Sandbox,
	message: string,
	ask: Record<string, unknown>,
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
				parameters: { ...question, ...ask },
			},
		],
		connections: { Start: connectionTo('Enroll'), Enroll: connectionTo('Ask') },
	};
}

/** A workflow that starts when an approval request, handed to its URL, is decided. */
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

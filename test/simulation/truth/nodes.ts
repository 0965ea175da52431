import type { INodeParameters } from 'n8n-workflow';

import { seededUserIds } from '../../../lab/drive/twoFactorClient';

/** Time after which n8n resumes parked executions, on both stages: long enough for the pack's own polling, which ends 75 s before. */
export const RESUME_AFTER_MS = 100_000;

/** Returns parameters and further fields of a node that asks a person and waits for the decision. */
export const askingNode = (
	message: string,
	nodeFields: object,
): { parameters: INodeParameters } => ({
	...nodeFields,
	parameters: {
		resource: 'approvalRequest',
		operation: 'sendAndWait',
		twofactorId: `${seededUserIds.withApp}`,
		message,
		outputs: 'one',
	},
});

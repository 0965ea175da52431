import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeType,
	INodeTypeDescription,
	ITriggerFunctions,
	ITriggerResponse,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { testCredential } from '../engine/http/credentialTest';
import { intakeWebhook, nobodyToTell, waitingPanel } from '../engine/trigger/description';
import { receive } from '../engine/trigger/receive';
import { watch } from '../engine/trigger/run';
import { probe, service } from './service';
import { approvalRequestProperties, approvalRequests } from './trigger';

export class TwoFactorTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Two-Factor Trigger',
		name: 'twoFactorTrigger',
		icon: { light: 'file:twoFactor.svg', dark: 'file:twoFactor.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: 'approval request decided',
		description:
			'Starts the workflow once for each approval request when it is decided: approved, denied, expired or gone. The service is deprecated in favor of a successor: existing applications keep working, new integrations should use the successor.',
		eventTriggerDescription: 'Waiting for an approval request to be decided',
		activationMessage:
			'The workflow now starts once for each watched approval request that is decided.',
		defaults: { name: 'Two-Factor Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'twoFactorApi',
				required: true,
				testedBy: 'twoFactorApiTest',
			},
		],
		webhooks: [intakeWebhook],
		triggerPanel: waitingPanel('Wait for a decision', approvalRequests.noun, {
			finish: 'decide',
			finished: 'decided',
		}),
		properties: approvalRequestProperties,
	};

	methods = {
		credentialTest: {
			async twoFactorApiTest(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
				return await testCredential(this, credential, service, probe);
			},
		},
	};

	webhookMethods = { default: nobodyToTell };

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await watch(this, approvalRequests);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this, approvalRequests);
	}
}

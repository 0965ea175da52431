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

import { testCredential } from '../engine/credentialTest';
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
		webhooks: [
			{
				name: 'default',
				httpMethod: '={{ $parameter["acceptNewIds"] ? "POST" : "" }}',
				responseMode: 'onReceived',
				path: '={{ $parameter["path"] }}',
				ndvHideUrl: '={{ !$parameter["acceptNewIds"] }}',
				ndvHideMethod: '={{ !$parameter["acceptNewIds"] }}',
			},
		],
		triggerPanel: {
			header: 'Wait for a decision',
			executionsHelp: {
				inactive:
					'<b>While you build:</b> execute the step and decide a watched approval request, or wait two minutes to see its present state. With the webhook on, the test begins with a POST to the test URL, such as {"ids": ["…"]} as JSON; an empty one tests the IDs that are typed in.<br /><br /><b>Once you publish the workflow</b>, it starts by itself for each approval request that is decided.',
				active:
					'<b>While you build:</b> execute the step and decide a watched approval request, or wait two minutes to see its present state. With the webhook on, the test begins with a POST to the test URL, such as {"ids": ["…"]} as JSON; an empty one tests the IDs that are typed in.<br /><br />The published workflow starts by itself for each approval request that is decided: see <a data-key="executions">executions</a>.',
			},
			activationHint: 'Publish the workflow to let it start by itself.',
		},
		properties: approvalRequestProperties,
	};

	methods = {
		credentialTest: {
			async twoFactorApiTest(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
				return await testCredential(this, credential, service, probe);
			},
		},
	};

	// The address is n8n's own: no other service has to be told about it.
	webhookMethods = {
		default: {
			async checkExists() {
				return true;
			},
			async create() {
				return true;
			},
			async delete() {
				return true;
			},
		},
	};

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await watch(this, approvalRequests);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this, approvalRequests);
	}
}

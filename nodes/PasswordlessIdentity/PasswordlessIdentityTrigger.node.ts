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
import { scopeJobProperties, scopeJobs } from './trigger';

export class PasswordlessIdentityTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Passwordless Identity Trigger',
		name: 'passwordlessIdentityTrigger',
		icon: { light: 'file:passwordlessIdentity.svg', dark: 'file:passwordlessIdentity.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: 'scope job finished',
		description:
			'Starts the workflow once for each scope job when it is finished: completed with verified claims, unverified, cancelled, timed out or gone',
		eventTriggerDescription: 'Waiting for a scope job to be finished',
		activationMessage: 'The workflow now starts once for each watched scope job that is finished.',
		defaults: { name: 'Passwordless Identity Trigger' },
		sensitiveOutputFields: ['token'],
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'passwordlessIdentityApi',
				required: true,
				testedBy: 'passwordlessIdentityApiTest',
			},
		],
		webhooks: [intakeWebhook],
		triggerPanel: waitingPanel('Wait for a scope job', scopeJobs.noun, {
			finish: 'finish',
			finished: 'finished',
		}),
		properties: scopeJobProperties,
	};

	methods = {
		credentialTest: {
			async passwordlessIdentityApiTest(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			) {
				return await testCredential(this, credential, service, probe);
			},
		},
	};

	webhookMethods = { default: nobodyToTell };

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await watch(this, scopeJobs);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this, scopeJobs);
	}
}

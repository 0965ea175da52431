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
			'Starts the workflow once for each scope job when it is finished: completed with verified claims, cancelled, timed out or gone',
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
			header: 'Wait for a scope job',
			executionsHelp: {
				inactive:
					'<b>While you build:</b> execute the step and finish a watched scope job, or wait two minutes to see its present state. With the webhook on, the test begins with a POST to the test URL, such as {"ids": ["…"]} as JSON; an empty one tests the IDs that are typed in.<br /><br /><b>Once you publish the workflow</b>, it starts by itself for each scope job that is finished.',
				active:
					'<b>While you build:</b> execute the step and finish a watched scope job, or wait two minutes to see its present state. With the webhook on, the test begins with a POST to the test URL, such as {"ids": ["…"]} as JSON; an empty one tests the IDs that are typed in.<br /><br />The published workflow starts by itself for each scope job that is finished: see <a data-key="executions">executions</a>.',
			},
			activationHint: 'Publish the workflow to let it start by itself.',
		},
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
		return await watch(this, scopeJobs);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this, scopeJobs);
	}
}

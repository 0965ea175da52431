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

import { verifyCredential } from '../engine/http/verifyCredential';
import { intakeWebhook, idTriggerPanel } from '../engine/trigger/ids/description';
import { webhookMethodsFor } from '../engine/trigger/ids/selectableTriggers';
import { startIdTrigger } from '../engine/trigger/ids/startIdTrigger';
import { receiveIds } from '../engine/trigger/ids/webhook/receive';
import { probe, service } from './service';
import { scopeJobProperties, definition, enteredJobsExpression } from './trigger/definition';

export class PasswordlessIdentityTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Passwordless Identity Trigger',
		name: 'passwordlessIdentityTrigger',
		icon: { light: 'file:passwordlessIdentity.svg', dark: 'file:passwordlessIdentity.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: 'Scope Job Finished',
		description:
			'Ask people to confirm who they are on their phone, and start workflows when they answer',
		eventTriggerDescription:
			'Waiting for a scope job to be finished, or for its ID at the test URL',
		activationMessage: 'Your workflow now runs once for each finished scope job.',
		builderHint: {
			searchHint:
				'Starts a workflow once for each scope job that is answered, canceled or over. Connect it in the option Trigger of Scope Job: Issue.',
		},
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
		webhooks: [intakeWebhook(enteredJobsExpression)],
		triggerPanel: idTriggerPanel('Answer a watched scope job', definition, {
			finish: 'answer',
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
				return await verifyCredential(this, credential, service, probe);
			},
		},
	};

	webhookMethods = { default: webhookMethodsFor(service) };

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await startIdTrigger(this, definition);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveIds(this, definition);
	}
}

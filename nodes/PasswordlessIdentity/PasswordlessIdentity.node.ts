import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookResponseData,
	NodeOutput,
} from 'n8n-workflow';

import { verifyCredential } from '../engine/http/verifyCredential';
import { toNodeProperties } from '../engine/panel/properties';
import { subtitle } from '../engine/panel/subtitle';
import { executeOrPark } from '../engine/park/executeOrPark';
import { respondToResume, resumeWebhook } from '../engine/park/step';
import { searchTriggers } from '../engine/submit/triggerList';
import { noopWebhookMethods } from '../engine/trigger/ids/description';
import { probe, service } from './service';

export class PasswordlessIdentity implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Passwordless Identity',
		name: 'passwordlessIdentity',
		icon: { light: 'file:passwordlessIdentity.svg', dark: 'file:passwordlessIdentity.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(service),
		description:
			'Ask people to confirm who they are on their phone, verify what they signed, and manage their keys',
		builderHint: {
			searchHint:
				'Sign people in without a password, or ask them for verified details on their phone. To use the answer in the same workflow, issue a scope job with Wait Until Finished; branch on outcome and verified.',
		},
		defaults: { name: 'Passwordless Identity' },
		usableAsTool: true,
		sensitiveOutputFields: ['token'],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'passwordlessIdentityApi',
				required: true,
				testedBy: 'passwordlessIdentityApiTest',
			},
		],
		webhooks: [resumeWebhook],
		waitingNodeTooltip: '={{ "Waiting for an answer on the phone" }}',
		properties: toNodeProperties(service),
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
		listSearch: { searchTriggers: searchTriggers(service) },
	};

	webhookMethods = { default: noopWebhookMethods };

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await executeOrPark(this, service);
	}

	async webhook(): Promise<IWebhookResponseData> {
		return respondToResume();
	}
}

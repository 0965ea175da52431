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
import {
	approvalRequestProperties,
	definition,
	hasEnteredIdsExpression,
} from './trigger/definition';

export class TwoFactorTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Two-Factor Trigger',
		name: 'twoFactorTrigger',
		icon: { light: 'file:twoFactor.svg', dark: 'file:twoFactor.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: 'Approval Request Decided',
		description:
			'Send and verify one-time codes, ask for approvals on a phone, and start workflows when they are decided',
		eventTriggerDescription:
			'Waiting for an approval request to be decided, or for its ID at the test URL',
		activationMessage: 'Your workflow now runs once for each decided approval request.',
		builderHint: {
			searchHint:
				'Starts a workflow once for each approval request that is approved, denied or over. Connect it in the option Trigger of Approval Request: Create.',
		},
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
		webhooks: [intakeWebhook(hasEnteredIdsExpression)],
		triggerPanel: idTriggerPanel('Approve or deny a watched request', definition, {
			finish: 'approve or deny',
			finished: 'decided',
		}),
		properties: approvalRequestProperties,
	};

	methods = {
		credentialTest: {
			async twoFactorApiTest(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
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

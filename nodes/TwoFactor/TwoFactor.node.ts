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
import { branchingOutputs } from '../engine/panel/branches';
import { toNodeProperties } from '../engine/panel/properties';
import { subtitle } from '../engine/panel/subtitle';
import { executeOrPark } from '../engine/park/executeOrPark';
import { respondToResume, resumeWebhook } from '../engine/park/step';
import { withErrorsAsAgentMessages } from '../engine/review/agentMessages';
import { searchTriggers } from '../engine/submit/triggerList';
import { noopWebhookMethods } from '../engine/trigger/ids/description';
import { sendAndWaitHints } from './approvalRequest/askedHint';
import { listSearchMethods } from './pickLists';
import { probe, service } from './service';

export class TwoFactor implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Two-Factor',
		name: 'twoFactor',
		icon: { light: 'file:twoFactor.svg', dark: 'file:twoFactor.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(service),
		description:
			'Send and verify one-time codes, ask users to approve on their phone, and verify phone numbers',
		builderHint: {
			searchHint:
				'Send and verify one-time codes, verify phone numbers, and ask a person to approve on their phone. To wait for the decision in the same workflow, use Approval Request: Send and Wait for Approval: its second output has the approved items. As human review it asks a phone before an agent runs a tool.',
		},
		defaults: { name: 'Two-Factor' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: branchingOutputs(service),
		credentials: [{ name: 'twoFactorApi', required: true, testedBy: 'twoFactorApiTest' }],
		webhooks: [resumeWebhook],
		hints: sendAndWaitHints,
		waitingNodeTooltip: '={{ "Waiting for a decision on the phone" }}',
		properties: toNodeProperties(service),
	};

	methods = {
		credentialTest: {
			async twoFactorApiTest(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
				return await verifyCredential(this, credential, service, probe);
			},
		},
		listSearch: { ...listSearchMethods, searchTriggers: searchTriggers(service) },
	};

	webhookMethods = { default: noopWebhookMethods };

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await withErrorsAsAgentMessages(this, async () => await executeOrPark(this, service));
	}

	async webhook(): Promise<IWebhookResponseData> {
		return respondToResume();
	}
}

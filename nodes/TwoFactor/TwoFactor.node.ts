import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { testCredential } from '../engine/http/credentialTest';
import { properties, subtitle } from '../engine/panel/properties';
import { execute } from '../engine/run/execute';
import { lists } from './lists';
import { probe, service } from './service';

export class TwoFactor implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Two-Factor',
		name: 'twoFactor',
		icon: { light: 'file:twoFactor.svg', dark: 'file:twoFactor.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description:
			'Send and verify one-time codes, ask users to approve on their phone, and verify phone numbers. The service is deprecated in favor of a successor: existing applications keep working, new integrations should use the successor.',
		defaults: { name: 'Two-Factor' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'twoFactorApi', required: true, testedBy: 'twoFactorApiTest' }],
		properties: properties(service),
	};

	methods = {
		credentialTest: {
			async twoFactorApiTest(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
				return await testCredential(this, credential, service, probe);
			},
		},
		listSearch: lists,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, service);
	}
}

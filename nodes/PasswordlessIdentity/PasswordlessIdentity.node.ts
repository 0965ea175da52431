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
import { probe, service } from './service';

export class PasswordlessIdentity implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Passwordless Identity',
		name: 'passwordlessIdentity',
		icon: { light: 'file:passwordlessIdentity.svg', dark: 'file:passwordlessIdentity.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description:
			'Ask people to confirm who they are on their phone, verify what they signed, and manage their keys',
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
		properties: properties(service),
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

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, service);
	}
}

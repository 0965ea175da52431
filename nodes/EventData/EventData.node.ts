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

export class EventData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Data',
		name: 'eventData',
		icon: { light: 'file:eventData.svg', dark: 'file:eventData.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description: 'Read events, and read and change attendees, sessions and registrations',
		defaults: { name: 'Event Data' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'eventDataApi', required: true, testedBy: 'eventDataApiTest' }],
		properties: properties(service),
	};

	methods = {
		credentialTest: {
			async eventDataApiTest(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
				return await testCredential(this, credential, service, probe);
			},
		},
		listSearch: lists,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, service);
	}
}

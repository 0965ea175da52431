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
import { choiceLists, formMappings } from './form/editor';
import { lists } from './lists';
import { probe, service } from './service';

export class EventRegistration implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Registration',
		name: 'eventRegistration',
		icon: { light: 'file:eventRegistration.svg', dark: 'file:eventRegistration.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description:
			'Register people for events, export registrations and attendance, and manage contact lists',
		defaults: { name: 'Event Registration' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'eventRegistrationApi', required: true, testedBy: 'eventRegistrationApiTest' },
		],
		properties: properties(service),
	};

	methods = {
		credentialTest: {
			async eventRegistrationApiTest(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			) {
				return await testCredential(this, credential, service, probe);
			},
		},
		listSearch: lists,
		loadOptions: choiceLists,
		resourceMapping: formMappings,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, service);
	}
}

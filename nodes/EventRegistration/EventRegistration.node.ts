import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
	NodeOutput,
} from 'n8n-workflow';

import { verifyCredential } from '../engine/http/verifyCredential';
import { toNodeProperties } from '../engine/panel/properties';
import { subtitle } from '../engine/panel/subtitle';
import { execute } from '../engine/run/execute';
import { choiceLists, formMappings } from './formMappings';
import { listSearchMethods } from './pickLists';
import { probe, service } from './service';

export class EventRegistration implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Registration',
		name: 'eventRegistration',
		icon: { light: 'file:eventRegistration.svg', dark: 'file:eventRegistration.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(service),
		description:
			'Register people for events, and manage attendance, contacts and orders (providers with numeric IDs)',
		builderHint: {
			searchHint:
				'Register people for events, manage contacts, orders and attendance. To add a person or change the one with the same email address, use Create or Update. Lists return 50 records unless Return All is on.',
		},
		defaults: { name: 'Event Registration' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'eventRegistrationApi', required: true, testedBy: 'eventRegistrationApiTest' },
		],
		properties: toNodeProperties(service),
	};

	methods = {
		credentialTest: {
			async eventRegistrationApiTest(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			) {
				return await verifyCredential(this, credential, service, probe);
			},
		},
		listSearch: listSearchMethods,
		loadOptions: choiceLists,
		resourceMapping: formMappings,
	};

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await execute(this, service);
	}
}

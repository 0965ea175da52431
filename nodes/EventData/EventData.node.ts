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
import { listSearchMethods } from './pickLists';
import { probe, service } from './service';

export class EventData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Data',
		name: 'eventData',
		icon: { light: 'file:eventData.svg', dark: 'file:eventData.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(service),
		description:
			'Read events, and read and change attendees, sessions and registrations (IDs such as evt_1004 and att_20017)',
		builderHint: {
			searchHint:
				'Read and change events, sessions, attendees and registrations. Lists return 50 records unless Return All is on.',
		},
		defaults: { name: 'Event Data' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'eventDataApi', required: true, testedBy: 'eventDataApiTest' }],
		properties: toNodeProperties(service),
	};

	methods = {
		credentialTest: {
			async eventDataApiTest(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
				return await verifyCredential(this, credential, service, probe);
			},
		},
		listSearch: listSearchMethods,
	};

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await execute(this, service);
	}
}

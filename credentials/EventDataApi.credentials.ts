import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { withApiKey } from '../nodes/engine/http/apiKey';

export class EventDataApi implements ICredentialType {
	name = 'eventDataApi';

	displayName = 'Event Data API';

	icon = {
		light: 'file:../nodes/EventData/eventData.svg',
		dark: 'file:../nodes/EventData/eventData.dark.svg',
	} as const;

	documentationUrl = 'https://gatehouse.example/credentials/event-data';

	properties: INodeProperties[] = [
		{
			displayName: 'Base Address',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'The address of the service, without the path of an operation',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "The key of your organization, from the provider's console",
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'X-API-Key',
			description:
				'The name of the header that carries the key. Change it only if your provider writes it differently.',
		},
	];

	authenticate = withApiKey('X-API-Key');
}

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
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service, without the path of an operation',
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
			description: 'Header that carries the key. Change only if your provider uses another name.',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description:
				'Whether to connect even if the certificate of the service cannot be checked, for example because it is self-signed',
		},
		{
			displayName:
				'The certificate of the service is not checked. Whoever stands between n8n and the service can read and change everything, keys included. Use this only in a network that you trust.',
			name: 'insecureNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { ignoreSslIssues: [true] } },
		},
	];

	authenticate = withApiKey('X-API-Key');
}

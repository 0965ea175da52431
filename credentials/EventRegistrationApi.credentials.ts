import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { withApiKey } from '../nodes/engine/http/apiKey';

export class EventRegistrationApi implements ICredentialType {
	name = 'eventRegistrationApi';

	displayName = 'Event Registration API';

	icon = {
		light: 'file:../nodes/EventRegistration/eventRegistration.svg',
		dark: 'file:../nodes/EventRegistration/eventRegistration.dark.svg',
	} as const;

	documentationUrl = 'https://gatehouse.example/credentials/event-registration';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service, up to, but not including, /api/v1',
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
			default: 'Authorization',
			description: 'Header that carries the key. Change only if your provider uses another name.',
		},
		{
			displayName: 'Prefix',
			name: 'prefix',
			type: 'string',
			default: '',
			placeholder: 'e.g. Bearer',
			description: 'Text before the key in the header, e.g. Bearer',
		},
		{
			displayName: 'First Page Number',
			name: 'firstPage',
			type: 'options',
			options: [
				{ name: 'Detect', value: 'detect', description: 'Takes one more request per list' },
				{ name: '0', value: 0 },
				{ name: '1', value: 1 },
			],
			default: 'detect',
			description:
				"Number of the first page in your provider's lists. Keep Detect if unsure: a wrong number skips records.",
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

	authenticate = withApiKey('Authorization');
}

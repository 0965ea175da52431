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
			displayName: 'Base Address',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'The address of the service, without /api/v1 and what follows it',
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
			description:
				'The name of the header that carries the key. Change it only if your provider writes it differently.',
		},
		{
			displayName: 'Prefix',
			name: 'prefix',
			type: 'string',
			default: '',
			placeholder: 'e.g. Bearer',
			description: 'A word that stands before the key in the header, if your provider wants one',
		},
		{
			displayName: 'First Page Number',
			name: 'firstPage',
			type: 'options',
			options: [
				{ name: 'Detect', value: 'detect', description: 'Find out with one more request per list' },
				{ name: '0', value: 0 },
				{ name: '1', value: 1 },
			],
			default: 'detect',
			description:
				'How your provider counts the pages of long lists. A wrong number would silently skip records: leave it at Detect if you are not sure.',
		},
	];

	authenticate = withApiKey('Authorization');
}

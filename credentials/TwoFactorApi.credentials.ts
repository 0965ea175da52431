import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { withApiKey } from '../nodes/engine/http/apiKey';

export class TwoFactorApi implements ICredentialType {
	name = 'twoFactorApi';

	displayName = 'Two-Factor API';

	icon = {
		light: 'file:../nodes/TwoFactor/twoFactor.svg',
		dark: 'file:../nodes/TwoFactor/twoFactor.dark.svg',
	} as const;

	documentationUrl = 'https://gatehouse.example/credentials/two-factor';

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
			description: "The key of your application, from the provider's console",
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'X-Twofactor-API-Key',
			description:
				'The name of the header that carries the key. Change it only if your provider writes it differently.',
		},
		{
			displayName: 'Trigger Secret',
			name: 'triggerSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'What others must send in the header X-Gatehouse-Secret when they hand an ID to the webhook of a trigger with this credential. Approval Request: Create with this credential needs none: it signs what it hands over. Without a Trigger Secret nobody else can hand in IDs.',
		},
	];

	authenticate = withApiKey('X-Twofactor-API-Key');
}

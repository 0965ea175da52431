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
			description:
				"The key of your application, from the provider's console. The provider has stopped accepting new applications; existing ones keep working.",
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'X-Twofactor-API-Key',
			description: 'Header that carries the key. Change only if your provider uses another name.',
		},
		{
			displayName: 'Trigger Secret',
			name: 'triggerSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Secret that callers must send in the X-Gatehouse-Secret header to add IDs to a trigger that uses this credential. Approval Request: Create with this credential needs none: it signs what it sends. If empty, no one else can add IDs.',
		},
		{
			displayName: 'People',
			name: 'people',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. Morgan Ellery, 100003',
			description:
				"One person per line: name, comma, User ID. Nodes then offer these people by name, and show names in place of User IDs. Whoever can edit this field can redirect approvals to another person's phone.",
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

	authenticate = withApiKey('X-Twofactor-API-Key');
}

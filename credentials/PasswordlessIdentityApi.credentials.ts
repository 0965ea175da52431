import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

export class PasswordlessIdentityApi implements ICredentialType {
	name = 'passwordlessIdentityApi';

	displayName = 'Passwordless Identity API';

	icon = {
		light: 'file:../nodes/PasswordlessIdentity/passwordlessIdentity.svg',
		dark: 'file:../nodes/PasswordlessIdentity/passwordlessIdentity.dark.svg',
	} as const;

	documentationUrl = 'https://gatehouse.example/credentials/passwordless-identity';

	properties: INodeProperties[] = [
		{
			displayName: 'Base Address',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://issuer.example.com',
			description: 'The address of the issuer, without the path of an operation',
		},
		{
			displayName: 'Private Signing Key',
			name: 'privateKey',
			type: 'string',
			typeOptions: { password: true, rows: 4 },
			default: '',
			description:
				"Your application's own private key, as PEM text (-----BEGIN PRIVATE KEY-----) or as a JWK in JSON. It signs requests and is never sent. Leave it empty only if you sign elsewhere and hand in ready-made tokens.",
		},
		{
			displayName: 'Algorithm',
			name: 'algorithm',
			type: 'options',
			options: [
				{ name: 'EdDSA (Ed25519)', value: 'EdDSA' },
				{ name: 'ES256', value: 'ES256' },
				{ name: 'ES384', value: 'ES384' },
				{ name: 'ES512', value: 'ES512' },
				{ name: 'PS256', value: 'PS256' },
				{ name: 'RS256', value: 'RS256' },
			],
			default: 'EdDSA',
			description:
				'How this application signs. The key must be of the matching kind. What others sign is verified by their own registered keys, whatever those are.',
		},
		{
			displayName: 'Issuer',
			name: 'issuer',
			type: 'string',
			default: '',
			description:
				'How your application names itself in tokens. Leave it empty to use the fingerprint of its key. The credential test passes when the key can be read and the issuer answers, whether or not the key is registered yet.',
		},
		{
			displayName: 'Trigger Secret',
			name: 'triggerSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'What others must send in the header X-Gatehouse-Secret when they hand an ID to the webhook of a trigger with this credential. Scope Job: Issue with this credential needs none: it signs what it hands over. Without a Trigger Secret nobody else can hand in IDs.',
		},
	];

	// Trust rests on signed bodies: no request carries a key.
	authenticate: IAuthenticate = async (
		_credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	) => requestOptions;
}

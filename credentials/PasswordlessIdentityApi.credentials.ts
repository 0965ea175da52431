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
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://issuer.example.com',
			description: 'Address of the issuer, without the path of an operation',
		},
		{
			displayName: 'Private Signing Key',
			name: 'privateKey',
			type: 'string',
			typeOptions: { password: true, rows: 4 },
			default: '',
			description:
				"Your application's private key, as PEM (-----BEGIN PRIVATE KEY-----) or JWK (JSON). It signs requests and is never sent. Leave empty only if you use tokens signed elsewhere. The connection test passes once the key can be read and the issuer answers, even if the key isn't registered yet.",
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
				'Must match the key type. What others sign is verified with their own registered keys.',
		},
		{
			displayName: 'Issuer',
			name: 'issuer',
			type: 'string',
			default: '',
			description:
				"Your application's name in tokens. Leave empty to use the fingerprint of its key.",
		},
		{
			displayName: 'Accepted Key Statuses',
			name: 'acceptedKeyStatuses',
			type: 'string',
			default: '',
			placeholder: 'e.g. enrolled, verified',
			description:
				'Statuses of key records whose signatures count, in addition to registered, confirmed and active. Separate several with commas. Revoked keys never count.',
		},
		{
			displayName: 'Trigger Secret',
			name: 'triggerSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Secret that callers must send in the X-Gatehouse-Secret header to add IDs to a trigger that uses this credential. Scope Job: Issue with this credential needs none: it signs what it sends. If empty, no one else can add IDs.',
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

	// Signed bodies authenticate requests: none carries an API key.
	authenticate: IAuthenticate = async (
		_credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	) => requestOptions;
}

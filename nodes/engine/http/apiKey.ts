import type { IAuthenticate, ICredentialDataDecryptedObject } from 'n8n-workflow';

/** The header that carries a credential's API key: its name and prefix are settings of the credential. */
export function apiKeyHeader(
	credential: ICredentialDataDecryptedObject,
	defaultName: string,
): Record<string, string> {
	const text = (name: string) => String(credential[name] ?? '').trim();
	const prefix = text('prefix');
	return { [text('headerName') || defaultName]: `${prefix && `${prefix} `}${text('apiKey')}` };
}

/** Adds that header to a request. A function, since n8n evaluates no expressions in a trigger's own loop. */
export const withApiKey =
	(defaultName: string): IAuthenticate =>
	async (credential, request) => ({
		...request,
		headers: { ...request.headers, ...apiKeyHeader(credential, defaultName) },
	});

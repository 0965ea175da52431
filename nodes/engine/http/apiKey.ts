import type { IAuthenticate, ICredentialDataDecryptedObject } from 'n8n-workflow';

/** Returns the header with a credential's API key. The credential sets the header's name and prefix. */
export function apiKeyHeader(
	credential: ICredentialDataDecryptedObject,
	defaultName: string,
): Record<string, string> {
	const text = (name: string) => String(credential[name] ?? '').trim();
	const prefix = text('prefix');
	return { [text('headerName') || defaultName]: `${prefix && `${prefix} `}${text('apiKey')}` };
}

/**
 * Adds the API key's header to a request. This is a function, because n8n's declarative form needs expressions, and n8n
 * 2.41.1 evaluates no expressions in requests that a running trigger sends by itself.
 */
export const withApiKey =
	(defaultName: string): IAuthenticate =>
	async (credential, request) => ({
		...request,
		headers: { ...request.headers, ...apiKeyHeader(credential, defaultName) },
	});

import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { BadInput, messageWithAdvice, redact, ServiceFailure, toSentence } from '../errors';
import { readBaseUrl, repeatedPathAdvice } from './address';
import { parseRetryAfter } from './backoff';
import { Client, connectionOf, ignoresCertificate } from './client';
import { toFailure } from './failures';
import { redirectFailure } from './redirect';
import { isCredentialStatus } from './statuses';
import type { ServiceResponse, SendOptions, Service } from './types';

/** No retries: the user is waiting for the result in the credential's panel. */
const PROBE_SEND_OPTIONS: SendOptions = { maxAttempts: 1, maxRetryDelayMs: 0, timeoutMs: 15_000 };

/** How a credential is tested: a request without side effects, and how to recognize the service by its response. */
export interface CredentialProbe {
	/** Returns the path to request; may depend on the credential. Throws BadInput if the credential itself is not valid. */
	path: (credential: ICredentialDataDecryptedObject) => string | Promise<string>;
	headers: (credential: ICredentialDataDecryptedObject) => Record<string, string>;
	/** Whether a response can only come from the service and shows that the credential works. */
	recognizes: (response: ServiceResponse, credential: ICredentialDataDecryptedObject) => boolean;
}

/** Tests a credential. The message distinguishes a wrong base URL, a rejected key and a web page that is not the service. */
export async function verifyCredential(
	{ helpers }: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
	service: Service,
	probe: CredentialProbe,
): Promise<INodeCredentialTestResult> {
	const secrets = service.secretFields.map((name) => String(data[name] ?? ''));
	try {
		const baseUrl = readBaseUrl(data.baseUrl);
		const path = await probe.path(data);
		// n8n 2.41.1 offers only the older `helpers.request` here (n8n-core, credentials-test-context.js). It does not
		// authenticate the request, so the probe's headers do.
		const connection = connectionOf(service, data, async ({ url, headers }) => {
			return await helpers.request({
				method: 'GET',
				uri: url,
				headers: { ...headers, ...probe.headers(data) },
				timeout: PROBE_SEND_OPTIONS.timeoutMs,
				simple: false,
				followRedirect: false,
				resolveWithFullResponse: true,
				useStream: true,
				rejectUnauthorized: !ignoresCertificate(data),
			});
		});
		const response = await new Client(connection, PROBE_SEND_OPTIONS).sendOnce({
			method: 'GET',
			path,
		});
		const isRecognized = probe.recognizes(response, data);
		const failure = isRecognized ? undefined : failureOfProbe(response, service, baseUrl, path);
		if (!failure) return { status: 'OK', message: 'Connection tested successfully' };
		throw failure;
	} catch (error) {
		const isKnownError = error instanceof ServiceFailure || error instanceof BadInput;
		const text = isKnownError
			? toSentence(messageWithAdvice(error.message, error.advice))
			: "The credential couldn't be tested";
		return { status: 'Error', message: redact(text, secrets) };
	}
}

/** A rate limit says nothing about the key, and a credential has no options to change. */
function busyFailure({ headers }: ServiceResponse, service: Service): ServiceFailure {
	const waitMs = parseRetryAfter(headers['retry-after'], Date.now());
	const minutes = waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 60_000));
	const when =
		minutes === undefined ? 'later' : minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
	return new ServiceFailure(`The ${service.name} is busy`, {
		status: 429,
		advice: `Test again ${when}. The key may be right.`,
	});
}

function failureOfProbe(
	response: ServiceResponse,
	service: Service,
	baseUrl: string,
	path: string,
): ServiceFailure {
	const { status } = response;
	if (status >= 300 && status < 400)
		return redirectFailure(response, service, baseUrl + path, path);
	if (isCredentialStatus(status)) {
		const { message } = service.explain(response);
		return new ServiceFailure(
			`The ${service.name} rejects this key${message ? `: ${message}` : ''}`,
			{
				status,
				advice: service.credentialAdvice ?? "Check 'API Key', and 'Header Name' if you changed it.",
			},
		);
	}
	const repeated = repeatedPathAdvice(baseUrl, path);
	if (status === 404 && repeated !== undefined)
		return new ServiceFailure(`Nothing is at ${baseUrl}${path}`, { status, advice: repeated });
	if (status === 429) return busyFailure(response, service);
	if (response.kind === 'text' || status >= 500) return toFailure(response, service);
	return new ServiceFailure(`${baseUrl} doesn't answer like the ${service.name}`, {
		status,
		advice:
			"Check 'Base URL': something else is there, or part of the address is missing or extra.",
	});
}

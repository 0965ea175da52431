import { ServiceFailure, toSentence } from '../errors';
import { capitalize } from '../values/capitalize';
import type { RetryDecision } from './backoff';
import { MAX_RESPONSE_BYTES, ResponseTooLarge } from './exchange';
import { BLOCKED, INSECURE, networkErrorCode, MALFORMED, UNSENDABLE } from './networkErrors';
import { quoteRejectedValues } from './rejectedValues';
import { isUnclearWrite } from './requestTraits';
import { statedCauseOf } from './statedCause';
import { statedMessage } from './statedMessage';
import type { ServiceResponse, Request, SendOptions, Service } from './types';

/** Our code for a response that is too large to read. */
const TOO_LARGE = 'TOO_LARGE';

/** Validator message: a location in the request and the schema rule that it violates. */
const SCHEMA_VIOLATION =
	/\b(?:path|query|querystring|params|headers?|body|claims)((?:\/[\w~.-]+)+) must \S.*?(?=[,;.]? (?:path|query|params|body|claims)\/|;|$)/g;

/** Validator message about a missing property. */
const MISSING_PROPERTY =
	/\b(?:path|query|querystring|params|headers?|body|claims)(?:\/[\w~.-]+)* must have required property '([^']+)'/g;

/** Validator message about the type of a whole part of the request. */
const WRONG_TYPE =
	/\b(?:query|querystring|params|headers|body|claims) must be (?:object|array|string|null)\b/g;

/** Number of characters by which a text is recognized, for example as a web page. */
const SNIPPET_LENGTH = 100;

/** Codes of failures that a retry would repeat. */
export const NOT_RETRYABLE: ReadonlySet<string> = new Set([BLOCKED, UNSENDABLE, TOO_LARGE]);

/** Our codes for a response that arrived but cannot be read. Other requests to the service may succeed. */
export const UNRECOGNIZED_CODES: ReadonlySet<string> = new Set([MALFORMED, TOO_LARGE]);

/** Codes of failures before the request was sent, so the service cannot have carried it out. */
const NOT_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	INSECURE,
]);

/** Names settings of n8n 2.41 (`@n8n/config`, `ssrf-protection.config`). */
const SSRF_ADVICE =
	"Check 'Base URL' in the credential, or the URL in the node. If it is right, ask the administrator of n8n to allow it: the host in N8N_SSRF_ALLOWED_HOSTNAMES, or the IP address in N8N_SSRF_ALLOWED_IP_RANGES.";

const ADVICE: Record<number, string> = {
	400: "Check the values in this node: the service doesn't accept one of them.",
	401: 'Check the key in the credential.',
	403: 'Check that the credential is allowed to do this.',
	404: 'Check the ID, or whether this credential can access it.',
	409: 'It conflicts with data that the service already has: check whether this record exists there.',
	413: 'The values in this node are too long for the service: shorten them.',
	414: 'The values in this node are too long for the service: shorten them.',
	422: "Check the values in this node: the service doesn't accept one of them.",
	431: 'The values in this node, or the key in the credential, are too long for the service: shorten them.',
	429: "Wait a while and run it again, or lower 'Max Concurrent Items' in the options.",
};

/** Creates the failure for a response that is not a success: the service's own message, and advice for the user. */
export function toFailure(
	response: ServiceResponse,
	service: Service,
	request: Partial<Request> = {},
): ServiceFailure {
	const { status, body } = response;
	if (response.kind === 'text') return unrecognizedFailure(response, service);
	const explanation = service.explain(response, request);
	const { code, advice, fields, isPermanent, isUncertain } = explanation;
	const message = explanation.message ?? statedMessage(body);
	const text = message
		? `${capitalize(service.name)}: ${simplifySchemaErrors(message)}`
		: `The ${service.name} answered with status ${status}`;
	const rejected = fields?.length ? fields : violatedFields(message ?? '');
	const quotes = service.hidesSentValues ? '' : quoteRejectedValues(rejected, request.json, text);
	const withCode = code ? `${text.trim().replace(/\.+$/, '')} (${code})` : text;
	return new ServiceFailure(quotes ? `${toSentence(withCode)}${quotes}` : withCode, {
		status,
		code,
		body,
		uncertain: status >= 500 ? !isPermanent : status < 300 && isUncertain,
		statedCause: statedCauseOf(
			status,
			`${message ?? ''} ${code ?? ''}`,
			request.path ?? '',
			service,
		),
		advice:
			advice ??
			(status === 401 ? service.credentialAdvice : undefined) ??
			ADVICE[status] ??
			(status >= 500
				? 'The service is unavailable.'
				: "Check the values in this node, and 'Base URL' in the credential."),
	});
}

/** Creates the failure for a response with an unexpected body: usually a web page, from a wrong base URL or a proxy. */
export function unrecognizedFailure(
	response: ServiceResponse,
	service: Service,
	hasWebPage = isWebPage(response),
): ServiceFailure {
	const contentKind = hasWebPage ? 'a web page' : describeContent(response);
	const quote = statedMessage(response.body);
	const words = quote === undefined || response.status < 300 ? '' : `: ${quote}`;
	return new ServiceFailure(
		`The ${service.name} answered with ${contentKind} (status ${response.status})${words}`,
		{
			status: response.status,
			isText: response.kind === 'text',
			// With a success status the service may have carried out the request, as it may have without any response.
			uncertain: response.status < 300 || response.status >= 500,
			advice: hasWebPage
				? "Check 'Base URL' in the credential: it points to a website or a proxy, not to the service."
				: "The answer was cut off or is damaged. If this keeps happening, check 'Base URL' in the credential.",
		},
	);
}

/** Replaces validator messages such as "body/user/email must match pattern …", which users cannot understand. */
const simplifySchemaErrors = (message: string) =>
	message
		.replace(MISSING_PROPERTY, '"$1" is missing')
		.replace(WRONG_TYPE, 'the request is not valid')
		.replace(SCHEMA_VIOLATION, (_, path: string) => {
			const names = path.split('/').filter((step) => step !== '' && !/^\d+$/.test(step));
			return names.length > 0 ? `"${names.join('.')}" is not valid` : 'the request is not valid';
		});

/** Returns the fields that validator messages name. */
const violatedFields = (message: string): string[] =>
	[...message.matchAll(SCHEMA_VIOLATION)].map(([, path]) => path!);

function describeContent({ kind, body }: ServiceResponse): string {
	if (kind === 'text') return 'something that is not JSON';
	return kind === 'empty' || body === null
		? 'nothing'
		: 'something that is neither a record nor a list';
}

/** Whether the Content-Type is HTML. Without a body, this is the only sign of a web page. */
export const isHtml = ({ headers }: ServiceResponse): boolean =>
	/html/i.test(headers['content-type'] ?? '');

/** Whether the body is a web page. */
export function isWebPage(response: ServiceResponse): boolean {
	return (
		response.kind === 'text' && /^\s*<|text\/html/i.test(response.body.slice(0, SNIPPET_LENGTH))
	);
}

/** Creates the failure for a request without a readable response. Drops the caught error: it contains the request and its key. */
export function transportFailure(
	error: unknown,
	service: Service,
	{ timeoutMs }: SendOptions,
): ServiceFailure {
	const code = networkErrorCode(error);
	const timedOut = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
	if (timedOut) {
		return new ServiceFailure(
			`The ${service.name} did not answer within ${formatDuration(timeoutMs)}`,
			{
				code: 'TIMEOUT',
				uncertain: true,
				advice: "If it's always that slow, raise 'Timeout' in the options.",
			},
		);
	}
	if (error instanceof ResponseTooLarge) {
		return new ServiceFailure(
			`The ${service.name} answered with more than ${MAX_RESPONSE_BYTES / 1_000_000} MB, which is too much to read`,
			{
				code: TOO_LARGE,
				uncertain: true,
				advice: "Request less at a time: set a filter, or a lower 'Limit'.",
			},
		);
	}
	if (NOT_SENT.has(code)) {
		return new ServiceFailure(`The ${service.name} couldn't be reached`, {
			code: 'UNREACHABLE',
			advice:
				code === INSECURE
					? "No secure connection could be made, so nothing was sent: check http or https in 'Base URL' of the credential, and that n8n trusts the certificate there. For a self-signed one, turn on 'Ignore SSL Issues' in the credential."
					: "Check 'Base URL' in the credential, and that the service is running. Nothing was sent.",
		});
	}
	if (code === BLOCKED) {
		return new ServiceFailure(
			`n8n's SSRF protection blocked the request to the ${service.name}: nothing was sent`,
			{ code, advice: SSRF_ADVICE },
		);
	}
	if (code === UNSENDABLE) {
		return new ServiceFailure(`The request to the ${service.name} couldn't be made`, {
			code,
			advice:
				"Check 'Header Name' and the key in the credential: one of them contains a character that isn't allowed in headers. Nothing was sent.",
		});
	}
	if (code === MALFORMED) {
		return new ServiceFailure(`The answer of the ${service.name} can't be read`, {
			code,
			uncertain: true,
			advice:
				"It is damaged, or its headers are too large. If this keeps happening, check 'Base URL' in the credential, and the proxy, if there is one.",
		});
	}
	return new ServiceFailure(`The connection to the ${service.name} broke before it answered`, {
		code: 'BROKEN',
		uncertain: true,
		advice: 'If this keeps happening, check the network or the proxy between n8n and the service.',
	});
}

/** Creates the failure for a request that was not sent because the service's pause exceeds the request's limits on waiting. */
export function pausedFailure(
	waitMs: number,
	attempts: number,
	service: Service,
	{ maxAttempts, maxRetryDelayMs }: SendOptions,
): ServiceFailure {
	const reason =
		waitMs > maxRetryDelayMs
			? `It asks to wait ${formatDuration(waitMs)} before the next request, longer than 'Max Retry Delay' in the options.`
			: `The pauses added up to more than 'Max Attempts' times 'Max Retry Delay' (${formatDuration(maxAttempts * maxRetryDelayMs)}).`;
	const times = attempts === 1 ? 'once' : `${attempts} times`;
	const attemptsNote = attempts > 0 ? `It was sent ${times} before that.` : 'Nothing was sent.';
	return new ServiceFailure(`The ${service.name} has asked to slow down`, {
		status: 429,
		retryAfterMs: waitMs,
		advice: `${reason} ${attemptsNote} ${ADVICE[429]}`,
	});
}

/** Adds to a failure how often the request was tried, and whether the user can safely run it again. */
export function withRetryNotes(
	failure: ServiceFailure,
	attempts: number,
	decision: RetryDecision,
	request: Request,
): ServiceFailure {
	const notes: string[] = [];
	if (!decision.shouldRetry && decision.retryAfterMs !== undefined) {
		notes.push(
			`The service asks to wait ${formatDuration(decision.retryAfterMs)} before the next request.`,
		);
	}
	if (attempts > 1) notes.push(`It was tried ${attempts} times.`);
	if (failure.uncertain) {
		notes.push(
			request.idempotent && !isUnclearWrite(failure, request)
				? 'Try again later.'
				: `It's unclear whether ${request.effect ?? 'the service carried it out'}, so ${attempts > 1 ? "it wasn't tried again" : "the request wasn't retried"}. Check before running again.`,
		);
	}
	return failure.with({
		retryAfterMs: decision.shouldRetry ? undefined : decision.retryAfterMs,
		advice: [failure.advice, ...notes].filter(Boolean).join(' '),
	});
}

/** Rounds up, so that waiting this long is enough. */
function formatDuration(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

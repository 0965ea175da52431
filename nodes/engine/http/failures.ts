import { ServiceFailure } from '../errors';
import type { RetryDecision } from './backoff';
import { MAX_RESPONSE_BYTES, ResponseTooLarge } from './exchange';
import { BLOCKED, INSECURE, networkErrorCode, UNREADABLE, UNSENDABLE } from './networkErrors';
import type { Answer, Request, SendOptions, Service } from './types';

/** Our code for an answer that was not read to its end. */
const TOO_LARGE = 'TOO_LARGE';

/** A place in a request and the rule of a schema that it breaks. */
const SCHEMA_VIOLATION =
	/\b(?:path|query|querystring|params|headers?|body|claims)((?:\/[\w~.-]+)+) must \S.*?(?=[,;.]? (?:path|query|params|body|claims)\/|;|$)/g;

/** The same of something that is not there. */
const MISSING_PROPERTY =
	/\b(?:path|query|querystring|params|headers?|body|claims)(?:\/[\w~.-]+)* must have required property '([^']+)'/g;

/** The same of a part of the request as a whole. */
const WRONG_TYPE =
	/\b(?:query|querystring|params|headers|body|claims) must be (?:object|array|string|null)\b/g;

/** So much of a text tells what it is. */
const SNIPPET_LENGTH = 100;

/** What another try would only repeat. */
export const NOT_RETRYABLE: ReadonlySet<string> = new Set([BLOCKED, UNSENDABLE, TOO_LARGE]);

/** Our codes for an answer that came and cannot be read: others may fare better. */
export const ILLEGIBLE: ReadonlySet<string> = new Set([UNREADABLE, TOO_LARGE]);

/** Whether nothing reached the service, so that nothing can have been done. */
const NOT_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	INSECURE,
]);

/** The settings are those of n8n 2.41 (`@n8n/config`, `ssrf-protection.config`). */
const SSRF_ADVICE =
	"Check 'Base URL' in the credential, or the URL in the node. If it is right, ask the administrator of n8n to allow it: the host in N8N_SSRF_ALLOWED_HOSTNAMES, or the IP address in N8N_SSRF_ALLOWED_IP_RANGES.";

const ADVICE: Record<number, string> = {
	400: "Check the values in this node: the service doesn't accept one of them.",
	401: 'Check the key in the credential.',
	403: 'Check that the credential is allowed to do this.',
	404: 'Check the ID, or whether this credential can access it.',
	409: 'It conflicts with existing data in the service.',
	413: 'The values in this node are too long for the service.',
	414: 'The values in this node are too long for the service.',
	422: "Check the values in this node: the service doesn't accept one of them.",
	431: 'The values in this node, or the key in the credential, are too long for the service.',
	429: "Wait a while and run it again, or lower 'Max Concurrent Items' in the options.",
};

/** Puts an answer that is not a success into words: the service's own, and what to do next. */
export function failureOf(answer: Answer, service: Service): ServiceFailure {
	const { status, body } = answer;
	if (answer.kind === 'text') return unrecognizedResponse(answer, service);
	const { message, code, advice, permanent, unclear } = service.explain(answer);
	const text = message
		? `${capitalized(service.name)}: ${simplifySchemaErrors(message)}`
		: `The ${service.name} answered with status ${status}`;
	return new ServiceFailure(`${text}${code ? ` (${code})` : ''}`, {
		status,
		code,
		body,
		uncertain: status >= 500 ? !permanent : status < 300 && unclear,
		advice:
			advice ??
			ADVICE[status] ??
			(status >= 500
				? 'The service is unavailable.'
				: "Check the values in this node, and 'Base URL' in the credential."),
	});
}

/** The failure of an answer whose body is not what an API sends: usually a page, from a wrong address or a proxy. */
export function unrecognizedResponse(
	answer: Answer,
	service: Service,
	page = isPage(answer),
): ServiceFailure {
	const what = page ? 'a web page' : describeContent(answer);
	return new ServiceFailure(`The ${service.name} answered with ${what} (status ${answer.status})`, {
		status: answer.status,
		// By its beginning others can tell that it was a text, and so nothing that the service says.
		body: answer.kind === 'text' ? `${answer.body}`.slice(0, SNIPPET_LENGTH) : undefined,
		// A damaged answer with a status of success leaves it as open as no answer at all.
		uncertain: answer.status < 300 || answer.status >= 500,
		advice: page
			? "Check 'Base URL' in the credential: it points to a website or a proxy, not to the service."
			: "The answer was cut off or is damaged. If this keeps happening, check 'Base URL' in the credential.",
	});
}

/** What a validator says in the name of its service, such as "body/user/email must match pattern …", says no one anything. */
const simplifySchemaErrors = (message: string) =>
	message
		.replace(MISSING_PROPERTY, '"$1" is missing')
		.replace(WRONG_TYPE, 'the request is not valid')
		.replace(SCHEMA_VIOLATION, (_, path: string) => {
			const names = path.split('/').filter((step) => step !== '' && !/^\d+$/.test(step));
			return names.length > 0 ? `"${names.join('.')}" is not valid` : 'the request is not valid';
		});

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function describeContent({ kind, body }: Answer): string {
	if (kind === 'text') return 'something that is not JSON';
	return kind === 'empty' || body === null
		? 'nothing'
		: 'something that is neither a record nor a list';
}

/** Whether an answer calls itself a web page; all that there is to go by where there is no body. */
export const isHtml = ({ headers }: Answer): boolean => /html/i.test(headers['content-type'] ?? '');

/** Whether an answer is a web page. */
export function isPage(answer: Answer): boolean {
	return (
		answer.kind === 'text' && /^\s*<|text\/html/i.test(`${answer.body}`.slice(0, SNIPPET_LENGTH))
	);
}

/** A redirect is not followed, since it would carry the key to another host: name the address to use instead. */
export function redirectFailure(
	answer: Answer,
	service: Service,
	url: string,
	path: string,
): ServiceFailure {
	let target: string | undefined;
	try {
		const location = new URL(answer.headers.location ?? '', url);
		const [route = ''] = path.split('?');
		location.search = '';
		location.username = '';
		location.password = '';
		target = location.href.endsWith(route) ? location.href.slice(0, -route.length) : location.href;
	} catch {
		target = undefined;
	}
	return new ServiceFailure(
		`The ${service.name} redirects to another address (status ${answer.status})`,
		{
			status: answer.status,
			advice: target
				? `If you trust it, enter ${target} as 'Base URL' in the credential. The request was not sent there.`
				: "Check 'Base URL' in the credential.",
		},
	);
}

/** The failure of a request that got no answer. What was caught is dropped: it holds the request, key included. */
export function transportFailure(
	error: unknown,
	service: Service,
	{ timeLimitMs }: SendOptions,
): ServiceFailure {
	const code = networkErrorCode(error);
	const timedOut = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
	if (timedOut) {
		return new ServiceFailure(
			`The ${service.name} did not answer within ${formatDuration(timeLimitMs)}`,
			{
				code: 'TIMEOUT',
				uncertain: true,
				advice: "If it's always that slow, raise 'Timeout' in the options.",
			},
		);
	}
	if (error instanceof ResponseTooLarge) {
		return new ServiceFailure(
			`The ${service.name} answered with more than ${MAX_RESPONSE_BYTES / 1_000_000} MB, which is not read`,
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
	if (code === UNREADABLE) {
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

/** The failure of a request that was held back, since the service had asked for a pause that is longer than it may wait. */
export function pausedFailure(
	waitMs: number,
	attempts: number,
	service: Service,
	{ tries, longestWaitMs }: SendOptions,
): ServiceFailure {
	const reason =
		waitMs > longestWaitMs
			? `It asks to wait ${formatDuration(waitMs)} before the next request, longer than 'Max Retry Delay' in the options.`
			: `The pauses added up to more than 'Max Attempts' times 'Max Retry Delay' (${formatDuration(tries * longestWaitMs)}).`;
	const times = attempts === 1 ? 'once' : `${attempts} times`;
	const sent = attempts > 0 ? `It was sent ${times}, and rejected.` : 'Nothing was sent.';
	return new ServiceFailure(`The ${service.name} has asked to slow down`, {
		status: 429,
		retryAfterMs: waitMs,
		advice: `${reason} ${sent} ${ADVICE[429]}`,
	});
}

/** Adds to a failure what the engine did about it, and whether the user may simply run it again. */
export function withRetryNotes(
	failure: ServiceFailure,
	attempts: number,
	decision: RetryDecision,
	request: Request,
): ServiceFailure {
	const notes: string[] = [];
	const { message, status, code, body, uncertain } = failure;
	if (!decision.shouldRetry && decision.retryAfterMs !== undefined) {
		notes.push(
			`The service asks to wait ${formatDuration(decision.retryAfterMs)} before the next request.`,
		);
	}
	if (attempts > 1) notes.push(`It was tried ${attempts} times.`);
	if (uncertain) {
		notes.push(
			request.repeatable
				? 'Try again later.'
				: `It's unclear whether ${request.effect ?? 'the service carried it out'}, so the request wasn't retried. Check before running again.`,
		);
	}
	return new ServiceFailure(message, {
		status,
		code,
		body,
		uncertain,
		retryAfterMs: decision.shouldRetry ? undefined : decision.retryAfterMs,
		advice: [failure.advice, ...notes].filter(Boolean).join(' '),
	});
}

function formatDuration(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

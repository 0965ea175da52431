import { ServiceFailure } from '../errors';
import { isRecord } from '../values/convert';
import type { Decision } from './backoff';
import { MOST_BYTES, TooLarge } from './exchange';
import type { Answer, Request, SendOptions, Service } from './types';

/** Our code for whatever keeps a secure connection from being made. */
const INSECURE = 'INSECURE';

/** Our code for a request that cannot even be written, so that another try is pointless. */
const UNSENDABLE = 'UNSENDABLE';

/** Our code for an answer that breaks the rules of HTTP, or cannot be unpacked. */
const UNREADABLE = 'UNREADABLE';

/** Our code for an answer that was not read to its end. */
const TOO_LARGE = 'TOO_LARGE';

/** What another try would only repeat. */
export const POINTLESS: ReadonlySet<string> = new Set([UNSENDABLE, TOO_LARGE]);

/** Our codes for an answer that came and cannot be read: others may fare better. */
export const ILLEGIBLE: ReadonlySet<string> = new Set([UNREADABLE, TOO_LARGE]);

/** Whether nothing reached the service, so that nothing can have been done. */
const NEVER_ARRIVED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	INSECURE,
]);

const ADVICE: Record<number, string> = {
	400: 'Check the values in this node: the service does not accept one of them.',
	401: 'Check the key in the credential.',
	403: 'Check that the credential is allowed to do this.',
	404: 'Check the ID: there is nothing by that name, or this credential cannot see it.',
	409: 'It conflicts with what the service already holds.',
	413: 'The values in this node are too long for the service.',
	414: 'The values in this node are too long for the service.',
	422: 'Check the values in this node: the service does not accept one of them.',
	431: 'The values in this node, or the key in the credential, are too long for the service.',
	429: 'Wait a while and run it again, or lower Items at a Time in the options.',
};

/** Puts an answer that is not a success into words: the service's own, and what to do next. */
export function failureOf(answer: Answer, service: Service): ServiceFailure {
	const { status, body } = answer;
	if (answer.kind === 'text') return unreadable(answer, service);
	const { message, code, advice, permanent, unclear } = service.explain(answer);
	const words = message ? `says: ${message}` : `answered with status ${status}`;
	return new ServiceFailure(`The ${service.name} ${words}${code ? ` (${code})` : ''}`, {
		status,
		code,
		body,
		uncertain: status >= 500 ? !permanent : status < 300 && unclear,
		advice:
			advice ??
			ADVICE[status] ??
			(status >= 500
				? 'The service has a problem of its own.'
				: 'Check the values in this node, and the base address in the credential.'),
	});
}

/** The failure of an answer whose body is not what an API sends: usually a page, from a wrong address or a proxy. */
export function unreadable(
	answer: Answer,
	service: Service,
	page = isPage(answer),
): ServiceFailure {
	const what = page ? 'a web page' : contentOf(answer);
	return new ServiceFailure(`The ${service.name} answered with ${what} (status ${answer.status})`, {
		status: answer.status,
		// A damaged answer with a status of success leaves it as open as no answer at all.
		uncertain: answer.status < 300 || answer.status >= 500,
		advice: page
			? 'Check the base address in the credential: a web page is there, not the service, or a proxy stands in between.'
			: 'The answer was cut off or is damaged. If that stays so, check the base address in the credential.',
	});
}

function contentOf({ kind, body }: Answer): string {
	if (kind === 'text') return 'something that is not JSON';
	return kind === 'empty' || body === null
		? 'nothing'
		: 'something that is neither a record nor a list';
}

/** Whether an answer calls itself a web page; all that there is to go by where there is no body. */
export const isHtml = ({ headers }: Answer): boolean => /html/i.test(headers['content-type'] ?? '');

/** Whether an answer is a web page. */
export function isPage(answer: Answer): boolean {
	return answer.kind === 'text' && /^\s*<|text\/html/i.test(`${answer.body}`.slice(0, 100));
}

/** A redirect is not followed, since it would carry the key to another host: name the address to use instead. */
export function redirected(
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
				? `If you trust it, put ${target} into the credential as the base address. The request was not sent there.`
				: 'Check the base address in the credential.',
		},
	);
}

/** The failure of a request that got no answer. What was caught is dropped: it holds the request, key included. */
export function broken(
	error: unknown,
	service: Service,
	{ timeLimitMs }: SendOptions,
): ServiceFailure {
	const code = codeOf(error);
	const timedOut = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
	if (timedOut) {
		return new ServiceFailure(`The ${service.name} did not answer within ${inWords(timeLimitMs)}`, {
			code: 'TIMEOUT',
			uncertain: true,
			advice: 'If it is always that slow, raise Time Limit in the options.',
		});
	}
	if (error instanceof TooLarge) {
		return new ServiceFailure(
			`The ${service.name} answered with more than ${MOST_BYTES / 1_000_000} MB, which is not read`,
			{
				code: TOO_LARGE,
				uncertain: true,
				advice: 'Ask for less at a time: set a filter, or a lower Limit.',
			},
		);
	}
	if (NEVER_ARRIVED.has(code)) {
		return new ServiceFailure(`The ${service.name} cannot be reached`, {
			code: 'UNREACHABLE',
			advice:
				code === INSECURE
					? 'No secure connection could be made, so nothing was sent: check http or https in the base address of the credential, and that n8n trusts the certificate there.'
					: 'Check the base address in the credential and that the service is up. Nothing was sent.',
		});
	}
	if (code === UNSENDABLE) {
		return new ServiceFailure(`The request to the ${service.name} could not be made`, {
			code,
			advice:
				'Check the header name and the key in the credential: one of them holds a character that no header may hold. Nothing was sent.',
		});
	}
	if (code === UNREADABLE) {
		return new ServiceFailure(`The answer of the ${service.name} cannot be read`, {
			code,
			uncertain: true,
			advice:
				'It is damaged, or its headers are too large. If that stays so, check the base address in the credential, and the proxy, if there is one.',
		});
	}
	return new ServiceFailure(`The connection to the ${service.name} broke before it answered`, {
		code: 'BROKEN',
		uncertain: true,
		advice: 'If that stays so, check the network, or the proxy, between n8n and the service.',
	});
}

/** The network's short code for what happened, wherever n8n has wrapped it. */
function codeOf(error: unknown): string {
	for (let depth = 0, at = error; depth < 5 && isRecord(at); depth++) {
		const { code, message, cause, errorResponse, syscall } = at;
		const short = typeof code === 'string' ? code : '';
		// These come with an answer, so the request has arrived.
		if (/BAD_RECORD|DECRYPT|^(HPE|Z)_/.test(short)) return UNREADABLE;
		if (syscall === 'read' || syscall === 'write') return '';
		if (/CERT|SELF_SIGNED|TLS|SSL|ISSUER|SIGNATURE|EPROTO/.test(short)) return INSECURE;
		if (typeof message === 'string' && /before secure TLS/.test(message)) return INSECURE;
		if (short.startsWith('ERR_INVALID_')) return UNSENDABLE;
		const known = /\bE[A-Z_]{4,}\b/.exec(short)?.[0];
		if (known) return known;
		if (typeof message === 'string' && /timeout/i.test(message)) return 'ECONNABORTED';
		at = cause ?? errorResponse;
	}
	return '';
}

/** The failure of a request that was held back, since the service had asked for a pause that is longer than it may wait. */
export function unsent(
	waitMs: number,
	tried: number,
	service: Service,
	{ tries, longestWaitMs }: SendOptions,
): ServiceFailure {
	const asked =
		waitMs > longestWaitMs
			? `It asks to wait ${inWords(waitMs)} before the next request, longer than Longest Wait in the options.`
			: `The pauses came to more than Tries times Longest Wait (${inWords(tries * longestWaitMs)}).`;
	const times = tried === 1 ? 'once' : `${tried} times`;
	const sent = tried > 0 ? `It was sent ${times}, and refused.` : 'Nothing was sent.';
	return new ServiceFailure(`The ${service.name} has asked to slow down`, {
		status: 429,
		advice: `${asked} ${sent} ${ADVICE[429]}`,
	});
}

/** Adds to a failure what the engine did about it, and whether the user may simply run it again. */
export function concluded(
	failure: ServiceFailure,
	tried: number,
	stop: Decision,
	request: Request,
): ServiceFailure {
	const notes: string[] = [];
	const { message, status, code, body, uncertain } = failure;
	if (!stop.again && stop.askedToWaitMs !== undefined) {
		notes.push(`The service asks to wait ${inWords(stop.askedToWaitMs)} before the next request.`);
	}
	if (tried > 1) notes.push(`It was sent ${tried} times.`);
	if (uncertain) {
		notes.push(
			request.repeatable
				? 'Try again later.'
				: `It is not known whether ${request.effect ?? 'the service carried it out'}, so it was not sent again: check before you repeat it.`,
		);
	}
	return new ServiceFailure(message, {
		status,
		code,
		body,
		uncertain,
		advice: [failure.advice, ...notes].filter(Boolean).join(' '),
	});
}

function inWords(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

import { parseRetryAfter } from '../http/backoff';
import { redact, ServiceFailure } from '../errors';
import { ILLEGIBLE } from '../http/failures';
import { failureIn, isDamaged } from '../http/answer';
import type { Client } from '../http/client';
import type { Answer, Request, Service } from '../http/types';
import type { Answer as Word } from '../watch';

type Refusal = 'refused' | 'failed';

/** What a service says about an id in the watcher's words; a refusal comes with its advice. */
export type Inquired =
	Exclude<Word, { kind: Refusal }> | { kind: Refusal; message: string; failure: ServiceFailure };

/**
 * Asks about one id, once: trying again is the watcher's business. `read` gets successes and accepted answers. Throws only
 * what is no failure of the service, such as a cancelled execution.
 */
export async function inquire(
	client: Client,
	request: Request,
	read: (answer: Answer) => Inquired | Promise<Inquired>,
): Promise<Inquired> {
	const { service, baseUrl, secrets } = client.connection;
	const ask = async (): Promise<Inquired> => {
		// Somebody else was told to wait: nobody is sent meanwhile.
		const retryAfterMs = client.pausedFor(request);
		if (retryAfterMs > 0) return { kind: 'busy', retryAfterMs };
		const answer = await client.sendOnce(request);
		const failure = failureIn(answer, request, service, baseUrl);
		return failure ? inWords(failure, answer, request, service) : await read(answer);
	};
	const found = await ask().catch(asAnswer);
	// The words may end in an item, which nobody searches for secrets.
	return 'message' in found && found.message !== undefined
		? { ...found, message: redact(found.message, secrets) }
		: found;
}

function asAnswer(error: unknown): Inquired {
	if (!(error instanceof ServiceFailure)) throw error;
	const { message, code = '' } = error;
	return { kind: ILLEGIBLE.has(code) ? 'unreadable' : 'sick', message };
}

function inWords(
	failure: ServiceFailure,
	answer: Answer,
	request: Request,
	service: Service,
): Inquired {
	const { message } = failure;
	const { status, headers, kind } = answer;
	const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
	const permanent = kind !== 'text' && service.explain(answer).permanent;
	if (status === 401 || status === 403 || permanent) return { kind: 'refused', message, failure };
	if (status === 429) return { kind: 'busy', message, retryAfterMs };
	// A text in place of JSON is damaged, or comes from something that stands before the service for now.
	const success = status >= 200 && status < 300;
	if (success && (kind === 'text' || isDamaged(answer, request))) {
		return { kind: 'unreadable', message };
	}
	if (status >= 500 || kind === 'text') return { kind: 'sick', message, retryAfterMs };
	return { kind: 'failed', message, failure };
}

import { sleep } from '../sleep';

/** The largest answer that is read, in bytes once it is unpacked. */
export const MAX_RESPONSE_BYTES = 50_000_000;

/** Why the time is no longer kept; made once, since errors are dear and exchanges many. */
const DONE = new Error('done');

/** What one exchange may cost. */
export interface ExchangeLimits {
	/** How long it may take in all, from the first byte that is sent to the last one that is read, in milliseconds. */
	timeLimitMs: number;
	/** Ends it at once. */
	signal?: AbortSignal;
}

/** What n8n's request helpers give where they are asked for the whole answer as a stream. */
export interface StreamedResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body?: unknown;
}

/** An answer as it came: nothing of it is understood yet. */
export interface RawResponse {
	status: number;
	headers: Record<string, string | undefined>;
	/** The body as a text, or whatever else stands in for one in a test run of n8n's. */
	body: unknown;
	/** Its size once unpacked. */
	bytes: number;
}

/** Says that the time was over before the last byte had come. */
export class ExchangeTimeout extends Error {
	readonly code = 'ETIMEDOUT';
}

/** Says that an answer had no end in sight. */
export class ResponseTooLarge extends Error {}

/**
 * Sends one request and reads its answer to the end, within one time limit for all of it. The limit of n8n's helpers ends with
 * the head of an answer and begins anew with every byte, so a service that dribbles would hold them for ever, and an
 * endless answer would fill the memory. When it gives up, the connection is closed, whatever the helper does with the signal.
 */
export async function exchange(
	begin: (signal: AbortSignal) => Promise<StreamedResponse>,
	{ timeLimitMs, signal }: ExchangeLimits,
): Promise<RawResponse> {
	signal?.throwIfAborted();
	const stop = new AbortController();
	const done = new AbortController();
	const cancel = () => stop.abort(signal?.reason);
	signal?.addEventListener('abort', cancel);
	void sleep(timeLimitMs, done.signal).then(
		() => stop.abort(new ExchangeTimeout('The time is over')),
		() => undefined,
	);
	const stopped = new Promise<never>((_, reject) => {
		stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
	});
	try {
		return await Promise.race([receive(begin, stop.signal), stopped]);
	} finally {
		done.abort(DONE);
		signal?.removeEventListener('abort', cancel);
	}
}

async function receive(
	begin: (signal: AbortSignal) => Promise<StreamedResponse>,
	signal: AbortSignal,
): Promise<RawResponse> {
	const { statusCode, headers, body } = await begin(signal);
	const read = isStream(body) ? await readAll(body, signal) : { body, bytes: 0 };
	return { status: statusCode, headers, ...read };
}

interface Stream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): void;
}

const isStream = (body: unknown): body is Stream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

async function readAll(
	stream: Stream,
	signal: AbortSignal,
): Promise<Pick<RawResponse, 'body' | 'bytes'>> {
	const close = () => stream.destroy(signal.reason);
	signal.addEventListener('abort', close);
	// The head may have come too late.
	if (signal.aborted) close();
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.length;
		// Leaving the loop closes the stream.
		if (bytes > MAX_RESPONSE_BYTES) throw new ResponseTooLarge('The answer is too large');
		chunks.push(chunk);
	}
	return { body: new TextDecoder().decode(Buffer.concat(chunks)), bytes };
}

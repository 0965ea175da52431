import { sleep } from '../sleep';

/** Largest response body that is read, in bytes after decompression. */
export const MAX_RESPONSE_BYTES = 50_000_000;

/** Reason for ending the timer. Created once, because creating an Error captures a stack. */
const DONE = new Error('done');

/** Limits of one exchange. */
export interface ExchangeLimits {
	/** Time limit from the first byte sent to the last byte read, in milliseconds. */
	timeoutMs: number;
	/** Aborts the exchange at once. */
	signal?: AbortSignal;
}

/** Response of n8n's request helpers if the options request the full response as a stream. */
export interface StreamedResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body?: unknown;
}

/** A response before its body is parsed. */
export interface RawResponse {
	status: number;
	headers: Record<string, string | undefined>;
	/** The body as text. In a test run, n8n 2.41.1 may supply a value of another type in its place. */
	body: unknown;
	/** Size of the body after decompression. */
	bytes: number;
}

/** The time limit passed before the last byte arrived. */
class ExchangeTimeout extends Error {
	readonly code = 'ETIMEDOUT';
}

/** The body exceeds MAX_RESPONSE_BYTES. */
export class ResponseTooLarge extends Error {}

/**
 * Sends one request and reads its response to the end, within one time limit for the whole exchange. The timeout of n8n's
 * helpers ends with the response's headers and restarts with every byte. With that timeout alone, a response that arrives
 * byte by byte would never time out, and an endless response would exhaust the memory. On abort or timeout the response
 * stream is closed, even if the helper ignores the signal.
 */
export async function exchange(
	begin: (signal: AbortSignal) => Promise<StreamedResponse>,
	{ timeoutMs, signal }: ExchangeLimits,
): Promise<RawResponse> {
	signal?.throwIfAborted();
	const stop = new AbortController();
	const done = new AbortController();
	const cancel = () => stop.abort(signal?.reason);
	signal?.addEventListener('abort', cancel);
	void sleep(timeoutMs, done.signal).then(
		() => stop.abort(new ExchangeTimeout('The time is over')),
		() => undefined,
	);
	const stopPromise = new Promise<never>((_, reject) => {
		stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
	});
	try {
		return await Promise.race([receive(begin, stop.signal), stopPromise]);
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
	if (!isStream(body)) return { status: statusCode, headers, body, bytes: 0 };
	const bytes = await readAll(body, signal);
	const text = decode(bytes, headers['content-type']);
	return { status: statusCode, headers, body: text, bytes: bytes.length };
}

interface Stream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): void;
}

const isStream = (body: unknown): body is Stream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

async function readAll(stream: Stream, signal: AbortSignal): Promise<Uint8Array> {
	const close = () => stream.destroy(signal.reason);
	signal.addEventListener('abort', close);
	// The headers may have arrived after the abort.
	if (signal.aborted) close();
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.length;
		// Leaving the loop closes the stream.
		if (bytes > MAX_RESPONSE_BYTES) throw new ResponseTooLarge('The answer is too large');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/**
 * Decodes a body in the charset of its Content-Type. Servers name single-byte charsets by default even if the text is UTF-8, so
 * what is valid as UTF-8 is read as UTF-8.
 */
function decode(bytes: Uint8Array, contentType = ''): string {
	const [, charset = 'utf-8'] = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
	if (/^utf-?8$/i.test(charset)) return new TextDecoder().decode(bytes);
	if (!/^utf-?16/i.test(charset)) {
		try {
			return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		} catch {
			// It is in the charset that the header names.
		}
	}
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		// An unknown name of a charset.
		return new TextDecoder().decode(bytes);
	}
}

import type { Readable } from 'node:stream';

/** Represents a body over the limit, whose content was discarded. */
export const tooLarge = Symbol('too large');

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Reads a body of up to 1 MB. A larger body is read to its end and discarded: a client whose connection is closed while it
 * still writes never sees the response.
 */
export async function readBody(stream: Readable): Promise<string | typeof tooLarge> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= MAX_BODY_BYTES) chunks.push(chunk);
		else chunks.length = 0;
	}
	return size > MAX_BODY_BYTES ? tooLarge : Buffer.concat(chunks).toString('utf8');
}

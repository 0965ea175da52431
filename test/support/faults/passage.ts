import type { IncomingMessage } from 'node:http';

/** One request that came to a gate, and what became of it. */
export interface Passage {
	/** Counted from 1 at each gate. */
	number: number;
	method: string;
	/** Without the part that names the gate. */
	path: string;
	headers: IncomingMessage['headers'];
	at: number;
	/** The fault that hit it. */
	fault?: string;
	/** What the service answered; absent if the request never reached it. */
	carriedOut?: number;
}

/** An answer of the service, whole. */
export interface Real {
	status: number;
	headers: IncomingMessage['headers'];
	body: Buffer;
}

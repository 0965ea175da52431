import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Passage, Real } from './passage';

/** What a fault has to work with. */
export interface Spoilable {
	passage: Passage;
	/** The client's connection, for bytes that no HTTP server would send. */
	socket: Socket;
	/** For answers that are proper HTTP. */
	response: ServerResponse;
	/** Lets the service carry the request out, and gives its answer. */
	pass: () => Promise<Real>;
	/** An address to send clients astray to. */
	elsewhere: string;
}

/**
 * What a fault leaves a client with:
 * - `lost`: no answer that can be read; whether the request was carried out is not known
 * - `failing`: a status from 500 on
 * - `refused`: 429, so nothing was done and it may come again soon
 * - `closed`: 429 with a pause that is longer than anybody waits
 * - `foreign`: the answer of something that is not the service
 * - `hollow`: 200 with something that is no answer to a read
 * - `huge`: more than anybody should read
 */
export type FaultKind = 'lost' | 'failing' | 'refused' | 'closed' | 'foreign' | 'hollow' | 'huge';

/** One way in which the way to a service, or the service, fails. */
export interface Fault {
	name: string;
	/** In plain words, for people who read the table of counts. */
	words: string;
	kind: FaultKind;
	/** Whether only a time limit ends it. */
	slow?: boolean;
	/** Whether only the body is spoilt, so that there is nothing to see where an answer has none. */
	body?: boolean;
	spoil: (exchange: Spoilable) => void | Promise<void>;
}

import type { ServerResponse } from 'node:http';

import { startToyServer } from '../../../support/toy';
import type { Received } from '../../../support/toy';

/** Headers that are about one connection. */
const OWN_HEADERS = ['host', 'connection', 'content-length'];

/** What a test answers in the service's place. */
export interface Instead {
	status?: number;
	/** JSON, or a text as it is. */
	body: unknown;
}

/** A server that passes everything on to a service, except what the test answers itself. */
export interface Between {
	url: string;
	received: Received[];
	/** Gives an answer to a request; nothing lets it pass. */
	instead: (request: Received) => Instead | undefined;
	close(): Promise<void>;
}

/** Puts a server before a service. */
export async function startBetween(target: string): Promise<Between> {
	const toy = await startToyServer();
	const between: Between = {
		url: toy.url,
		received: toy.received,
		instead: () => undefined,
		close: toy.close,
	};
	toy.answer((request, response) => {
		const own = between.instead(request);
		if (own) send(response, own);
		else void pass(target, request, response);
	});
	return between;
}

function send(response: ServerResponse, { status = 200, body }: Instead): void {
	const type = typeof body === 'string' ? 'text/html' : 'application/json';
	// Node.js renews the Date header by a timer of its own: where time is hurried, that would be another clock.
	response.writeHead(status, { 'content-type': type, date: new Date().toUTCString() });
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function pass(target: string, request: Received, response: ServerResponse): Promise<void> {
	const { method, url, headers, body } = request;
	const sent = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name));
	const answer = await fetch(target + url, {
		method,
		headers: Object.fromEntries(sent) as Record<string, string>,
		...(body && { body }),
	});
	const passed = ['content-type', 'date', 'retry-after'].flatMap((name) => {
		const value = answer.headers.get(name);
		return value === null ? [] : [[name, value]];
	});
	response.writeHead(answer.status, Object.fromEntries(passed) as Record<string, string>);
	response.end(await answer.text());
}

import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Decision about a request: it reaches the service, it does not, or it does and the response is lost. */
export type FaultDecision = 'pass' | 'dropRequest' | 'dropResponse';

/** A request on its way: `number` counts from 1. */
interface ProxiedRequest {
	number: number;
	method: string;
	path: string;
}

/** A proxy between the node and the sandbox, which decides about each request. */
export interface FaultProxy {
	url: string;
	/** Sets what decides from now on, and counts requests from 1 again. */
	decide(decision: (request: ProxiedRequest) => FaultDecision | Promise<FaultDecision>): void;
	/** Returns the number of requests since the last call of `decide`. */
	count(): number;
	close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

/** Starts a proxy to the address that `target` returns. */
export async function startFaultProxy(target: () => string): Promise<FaultProxy> {
	let decide: Parameters<FaultProxy['decide']>[0] = () => 'pass';
	let requestNumber = 0;
	const server = createServer((request, response) => {
		const handle = async (): Promise<void> => {
			const { method = '', url = '' } = request;
			const body = await readBody(request);
			const decision = await decide({ number: ++requestNumber, method, path: url.split('?')[0]! });
			if (decision === 'dropRequest') return void request.socket.destroy();
			const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
			const upstream = await fetch(target() + url, {
				method,
				headers: { authorization, 'content-type': type },
				...(body !== '' && { body }),
			});
			const text = await upstream.text();
			if (decision === 'dropResponse') return void request.socket.destroy();
			const headers = ['content-type', 'date'].map((name) => [name, upstream.headers.get(name)!]);
			response.writeHead(upstream.status, Object.fromEntries(headers) as Record<string, string>);
			response.end(text);
		};
		// A connection that the service dropped is dropped for the node, too.
		handle().catch(() => request.socket.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		decide: (decision) => {
			decide = decision;
			requestNumber = 0;
		},
		count: () => requestNumber,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that accepts OpenTelemetry traces over HTTP, as a collector does. */
export interface TraceCollector {
	url: string;
	/** Whether a received trace contains this text. Protocol Buffers store texts unchanged. */
	hasReceived(text: string): boolean;
	close(): Promise<void>;
}

/** Opens a collector on a free loopback port. */
export async function openTraceCollector(): Promise<TraceCollector> {
	const traces: Buffer[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (request.url === '/v1/traces') traces.push(Buffer.concat(chunks));
			response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		hasReceived: (text) => traces.some((trace) => trace.includes(text)),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

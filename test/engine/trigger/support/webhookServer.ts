import type { IDataObject } from 'n8n-workflow';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type ServeRequest = (
	request: IncomingMessage,
	response: ServerResponse,
	rawBody: Buffer,
) => Promise<void>;

/** Response of a webhook. */
export interface WebhookResponse {
	status: number;
	body: IDataObject;
	retryAfter: string | null;
}

/** HTTP server on loopback for webhooks. It starts when its URL is first needed. */
export class WebhookServer {
	private server: Promise<Server> | undefined;

	constructor(private readonly serve: ServeRequest) {}

	async url(): Promise<string> {
		this.server ??= new Promise<Server>((resolve) => {
			const server = createServer((request, response) => {
				this.receive(request, response).catch((error: Error) => {
					response.writeHead(500).end(JSON.stringify({ message: error.stack }));
				});
			});
			server.listen(0, '127.0.0.1', () => resolve(server));
		});
		return `http://127.0.0.1:${((await this.server).address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		const server = await this.server;
		server?.closeAllConnections();
		server?.close();
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		await this.serve(request, response, Buffer.concat(chunks));
	}
}

/** Posts a string unchanged, anything else as JSON. */
export async function postJson(
	url: string,
	body: unknown,
	headers: Record<string, string>,
): Promise<WebhookResponse> {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: text,
	});
	return {
		status: response.status,
		body: (await response.json()) as IDataObject,
		retryAfter: response.headers.get('retry-after'),
	};
}

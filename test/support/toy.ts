import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { catalog, resource } from '../../nodes/engine/operation';
import type { Catalog, Operation } from '../../nodes/engine/operation';
import { toNodeProperties } from '../../nodes/engine/panel/properties';
import { execute } from '../../nodes/engine/run/execute';
import type { NodeKit } from './workflow';

/** One request as the toy server received it. */
export interface ReceivedRequest {
	method: string;
	url: string;
	headers: IncomingMessage['headers'];
	body: string;
	receivedAtMs: number;
}

/** An HTTP server whose responses each test defines, and which records its requests. */
export interface ToyServer {
	url: string;
	requests: ReceivedRequest[];
	/** Sets the handler, and clears `requests`. */
	respondWith: (
		handler: (request: ReceivedRequest, response: ServerResponse, count: number) => void,
	) => void;
	close: () => Promise<void>;
}

/** Starts a toy server on loopback. */
export async function startToyServer(): Promise<ToyServer> {
	const requests: ReceivedRequest[] = [];
	let handler: Parameters<ToyServer['respondWith']>[0] = (_, response) =>
		sendJson(response, 200, {});
	const server = createServer((incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const { method = '', url = '', headers } = incoming;
			const request = {
				method,
				url,
				headers,
				body: `${Buffer.concat(chunks)}`,
				receivedAtMs: Date.now(),
			};
			requests.push(request);
			handler(request, response, requests.length);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		respondWith: (newHandler) => {
			handler = newHandler;
			requests.length = 0;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Sends a JSON response. */
export function sendJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
}

/** Texts of an operation of a toy service. */
export const operationTexts = { name: 'Do', action: 'Do it', description: 'Does it' };

/** Returns a service for tests of the engine alone: one resource with the given operations. */
export function toyService(operations: Record<string, Operation>): Catalog {
	const defaultOperation = Object.keys(operations)[0]!;
	return catalog({
		name: 'toy service',
		credentialType: 'toyApi',
		secretFields: ['apiKey'],
		defaultResource: 'thing',
		resources: { thing: resource({ name: 'Thing', operations, defaultOperation }) },
		explain: ({ body }) => {
			const { message, code } = (body ?? {}) as { message?: string; code?: string };
			return { message, code };
		},
	});
}

/** Returns a kit that runs a toy service's operations on n8n's engine against the given address. */
export function toyKit(service: Catalog, baseUrl: string, apiKey = 'sk-toy-0123456789'): NodeKit {
	class Toy implements INodeType {
		description: INodeTypeDescription = {
			displayName: 'Toy',
			name: 'toy',
			group: ['input'],
			version: 1,
			description: 'A toy',
			defaults: { name: 'Toy' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'toyApi', required: true }],
			properties: toNodeProperties(service),
		};

		async execute(this: IExecuteFunctions) {
			return await execute(this, service);
		}
	}
	class ToyApi {
		name = 'toyApi';

		displayName = 'Toy API';

		properties = [];

		authenticate = async (credentials: { apiKey?: unknown }, options: { headers?: object }) => ({
			...options,
			headers: { ...options.headers, 'X-Toy-Key': credentials.apiKey },
		});
	}
	return {
		nodes: { toy: Toy },
		credentials: [ToyApi as never],
		credentialData: { toyApi: { baseUrl, apiKey } },
	};
}

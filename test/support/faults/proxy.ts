import { createServer, request as send } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { Fault } from './fault';
import type { ProxiedRequest, UpstreamResponse } from './proxiedRequest';

/** A separate address in front of a service, with its own faults. */
export interface ProxyRoute {
	/** Replaces the service's address, without its path, in a credential. */
	url: string;
	proxied: ProxiedRequest[];
	/** Returns the number of open connections that a fault was applied to. */
	countFaultedConnections: () => number;
	close: () => void;
}

/** Chooses the fault for a request; undefined lets it pass. */
export type FaultSelector = (exchange: ProxiedRequest) => Fault | undefined;

/** A proxy on loopback between clients and services that injects faults. */
export interface FaultProxy {
	/** Opens a route to the service at `target`, such as `http://127.0.0.1:4000`. */
	route: (target: string, plan: FaultSelector) => ProxyRoute;
	/** Returns the number of requests to the address that redirects point to. */
	followedRedirects: () => number;
	/** Drops all connections and rejects new ones, as a restarting service does; the port stays bound. */
	setDown: (isDown: boolean) => void;
	close: () => Promise<void>;
}

/** Path that redirects point to: on the proxy itself, so that it sees clients that follow them. */
const REDIRECT_PATH = '/elsewhere';

export async function startFaultProxy(): Promise<FaultProxy> {
	const routes = new Map<
		string,
		{ target: string; selectFault: FaultSelector; route: ProxyRoute; faultedSockets: Set<Socket> }
	>();
	const sockets = new Set<Socket>();
	let redirectsFollowed = 0;
	let isDown = false;
	let routeCount = 0;

	const server = createServer({ keepAliveTimeout: 2000 }, (incoming, response) => {
		const { socket } = incoming;
		const [, name = '', remainingPath = ''] = /^\/([^/?]+)(.*)$/.exec(incoming.url ?? '') ?? [];
		const entry = routes.get(name);
		if (!entry) {
			if (incoming.url?.startsWith(REDIRECT_PATH)) redirectsFollowed += 1;
			socket.destroy();
			return;
		}
		const { selectFault, route, target, faultedSockets } = entry;
		const exchange: ProxiedRequest = {
			number: route.proxied.length + 1,
			method: incoming.method ?? '',
			path: remainingPath,
			headers: incoming.headers,
			receivedAtMs: Date.now(),
		};
		route.proxied.push(exchange);
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const sendUpstream = async () => {
				const upstreamResponse = await forward(target, exchange, Buffer.concat(chunks));
				exchange.upstreamStatus = upstreamResponse.status;
				return upstreamResponse;
			};
			const fault = selectFault(exchange);
			if (!fault) {
				sendUpstream().then(
					({ status, headers, body }) =>
						response.writeHead(status, removeHopByHopHeaders(headers)).end(body),
					() => socket.destroy(),
				);
				return;
			}
			exchange.fault = fault.name;
			faultedSockets.add(socket);
			socket.once('close', () => faultedSockets.delete(socket));
			const redirectTarget = `${formatAddress(server.address() as AddressInfo)}${REDIRECT_PATH}`;
			Promise.resolve(
				fault.inject({ exchange, socket, response, sendUpstream, redirectTarget }),
			).catch(() => socket.destroy());
		});
	});
	server.on('connection', (socket) => {
		if (isDown) return void socket.destroy();
		sockets.add(socket);
		socket.on('error', () => undefined);
		socket.once('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

	const dropAllConnections = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		route: (target, selectFault) => {
			const name = `route-${++routeCount}`;
			const faultedSockets = new Set<Socket>();
			const route: ProxyRoute = {
				url: `${formatAddress(server.address() as AddressInfo)}/${name}`,
				proxied: [],
				countFaultedConnections: () => faultedSockets.size,
				close: () => {
					routes.delete(name);
					for (const socket of faultedSockets) socket.destroy();
				},
			};
			routes.set(name, { target, selectFault, route, faultedSockets });
			return route;
		},
		followedRedirects: () => redirectsFollowed,
		setDown: (down) => {
			isDown = down;
			if (down) dropAllConnections();
		},
		close: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			dropAllConnections();
			await closed;
		},
	};
}

const formatAddress = ({ port }: AddressInfo) => `http://127.0.0.1:${port}`;

/** Forwards a request to the service and reads the complete response. */
async function forward(target: string, { method, path, headers }: ProxiedRequest, body: Buffer) {
	return await new Promise<UpstreamResponse>((resolve, reject) => {
		const { host } = new URL(target);
		const outgoing = send(
			target + path,
			{ method, headers: { ...removeHopByHopHeaders(headers), host }, agent: false },
			(upstream) => {
				const chunks: Buffer[] = [];
				upstream.on('data', (chunk: Buffer) => chunks.push(chunk));
				upstream.on('error', reject);
				upstream.on('end', () =>
					resolve({
						status: upstream.statusCode ?? 0,
						headers: upstream.headers,
						body: Buffer.concat(chunks),
					}),
				);
			},
		);
		outgoing.on('error', reject);
		outgoing.end(body);
	});
}

function removeHopByHopHeaders(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
	const {
		connection,
		'keep-alive': keepAlive,
		'transfer-encoding': coding,
		...endToEndHeaders
	} = headers;
	void connection;
	void keepAlive;
	void coding;
	return endToEndHeaders;
}

import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import table from '../contracts/services.json';
import { controlRoutes, runControl } from './control';
import type { Demo } from './demo';
import { deskRoutes } from './desk/routes';
import { createDoor } from './door';
import type { Journal } from './journal';
import { asLenient, asStrict, operationsOf } from './lenient';
import { mountService } from './mount';
import { servePage } from './pages';
import { phoneRoutes } from './phone/routes';
import { sendWire, toWire } from './send';
import { serviceNames, byId } from './service';
import type { Fault, Holdings, ServiceFactory, ServiceName, Settings, World } from './service';
import { factories } from './services';
import { startRoutes } from './start/routes';
import { Weather } from './weather';
import { createWorld } from './world';

export interface SandboxOptions {
	/** 0 (the default) takes any free port. */
	port?: number;
	host?: '127.0.0.1';
	/** Names that it is called by besides those of loopback, such as that of a Docker service. */
	names?: string[];
	/** Size of the generated demo data: 5,000 registrations unless told, up to 100,000. */
	registrations?: number;
	/** How many contacts its lists have together: 12,000 unless told. */
	contacts?: number;
	/** The same seed gives the same data, ids and codes. */
	seed?: number;
	/** Makes ids and codes differ from those of another start while the data stays the same. */
	idSeed?: number;
	/**
	 * Whether names and paths that the contracts do not know are refused. They are unless told, which holds our own nodes to
	 * the contracts; what people start overlooks them, as services in the wild do.
	 */
	strict?: boolean;
	/** Called with one line for each fault. Silent unless given. */
	log?: (line: string) => void;
	/** Services to mount instead of all, for tests that need no others. */
	services?: ServiceFactory[];
}

/** A running sandbox, with everything that /control offers available in-process. */
export interface Sandbox {
	url: string;
	/** Base addresses of the services, as a credential wants them. */
	addresses: Record<ServiceName, string>;
	/** What credentials for its services hold, by the names of the credential types. */
	credentials: Record<string, { baseUrl: string } & Record<string, string>>;
	phoneUrl: string;
	deskUrl: string;
	controlUrl: string;
	world: World;
	demo: Demo;
	weather: Weather;
	clock: { now(): number; advance(ms: number): void };
	journal: Journal;
	/** Live settings: assigning a value acts at once. */
	settings: Record<ServiceName, Settings>;
	/** Answers that broke their contract and handlers that threw, since the last reset. */
	faults: Fault[];
	/** Runs a service's control action, as POST /control/{service}/{action} does. desk/routes.ts lists the event services'. */
	control(service: ServiceName, action: string, input?: Record<string, unknown>): unknown;
	/** All that a service holds, and what has reached people's phones: the records themselves, not to be changed. */
	holdings(service: ServiceName): Holdings;
	/** Back to the seeded state: data, settings, weather, clock, journal, phone. */
	reset(): void;
	/** Stops at once; open connections are dropped. */
	close(): Promise<void>;
}

/** Starts the sandbox on loopback and resolves when it answers. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1', strict = true, log } = options;
	const reasonToRefuse = createDoor(options.names ?? []);
	const world = createWorld(options);
	const services = (options.services ?? factories)
		.map((create) => create(world))
		.map((service) => (strict ? asStrict(service) : asLenient(service)));
	const weather = new Weather((name) => {
		const service = services.find((candidate) => candidate.name === name);
		return service && Object.keys(service.handlers);
	});

	const restore = () => {
		weather.clear();
		for (const { name, settings } of services) {
			for (const key of Object.keys(world.settings[name])) delete world.settings[name][key];
			Object.assign(world.settings[name], settings);
		}
		for (const service of services) service.reset();
	};
	world.onReset(restore);
	restore();

	const server = Fastify({
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 8192 },
		ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
		frameworkErrors: (error, request, reply) => {
			const service = services.find(({ name }) =>
				request.url.startsWith(`${table[name].sandbox}/`),
			);
			const answer = service?.errorBody(400, 'contract', 'The path is not valid');
			return sendWire(reply, toWire(answer ?? { status: 400, body: { error: error.message } }));
		},
	});
	// Before everything else, and for what has no route too.
	server.addHook('onRequest', async ({ headers }, reply) => {
		// By the clock that every time stamp is taken from: whoever asks for what is new goes by it.
		void reply.header('date', new Date(world.now()).toUTCString());
		const reason = reasonToRefuse(headers);
		if (reason !== undefined) return await reply.code(403).send({ error: reason });
	});
	for (const service of services) {
		const operations = await operationsOf(service);
		mountService(server, service, operations, { world, weather, strict, log });
	}
	await server.register(controlRoutes({ world, weather, services }), { prefix: '/control' });
	await server.register(async (scope) => servePage(scope, join(__dirname, 'common')), {
		prefix: '/common',
	});
	await server.register(phoneRoutes({ world, services }), { prefix: '/phone' });
	await server.register(deskRoutes({ world, services }), { prefix: '/desk' });
	await server.register(startRoutes({ world, services }));
	await server.listen({ port, host });

	const url = `http://${host}:${(server.server.address() as AddressInfo).port}`;
	const addresses = Object.fromEntries(
		serviceNames.map((name) => [name, url + table[name].sandbox]),
	) as Record<ServiceName, string>;
	const credentials = Object.fromEntries(
		services.map(({ name, credential }) => [
			table[name].credential,
			{ baseUrl: addresses[name], ...credential },
		]),
	);
	return {
		url,
		addresses,
		credentials,
		phoneUrl: `${url}/phone`,
		deskUrl: `${url}/desk`,
		controlUrl: `${url}/control`,
		world,
		demo: world.demo,
		weather,
		clock: { now: () => world.now(), advance: (ms) => world.advance(ms) },
		journal: world.journal,
		settings: world.settings,
		faults: world.faults,
		control: (service, action, input) => runControl(services, service, action, input),
		holdings: (name) => {
			const service = services.find((candidate) => candidate.name === name);
			const phone = byId(world.phone.items(), ({ kind, id }) => `${kind} ${id}`);
			return { ...service?.holdings(), phone };
		},
		reset: () => world.reset(),
		close: () => server.close(),
	};
}

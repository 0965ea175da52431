import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import serviceTable from '../contracts/services.json';
import { compileOnFirstUse } from './compileOnFirstUse';
import { controlRoutes, runControl } from './controlRoutes';
import type { Demo } from './demoIdentities';
import { listDemoPeople } from './demoPeople';
import type { PublicDemoPerson } from './demoPeople';
import { deskRoutes } from './desk/routes';
import { FaultRules } from './faultRules';
import { asLenient, asStrict, loadOperations } from './lenientMode';
import { mountService } from './mountService';
import { namePlugin } from './namePlugin';
import { createOriginCheck } from './originCheck';
import { phoneRoutes } from './phone/routes';
import { phonesRoutes } from './phones/routes';
import type { RequestLog } from './requestLog';
import { sendResponse, serializeResponse } from './sendResponse';
import { servePage } from './servePage';
import { serviceNames, indexById } from './service';
import type {
	InternalError,
	StoredRecords,
	ServiceFactory,
	ServiceName,
	Settings,
	World,
} from './service';
import { serviceFactories } from './serviceFactories';
import { startRoutes } from './start/routes';
import { createWorld } from './world';

export interface SandboxOptions {
	/** Default: 0, any free port. */
	port?: number;
	host?: '127.0.0.1';
	/** Host names that clients use besides those of loopback, such as that of a Docker service. */
	names?: string[];
	/** Number of registrations in the demo data: 5,000 by default, at most 100,000. */
	registrations?: number;
	/** Number of contacts in all lists together; default: 12,000. */
	contacts?: number;
	/** The same seed gives the same data, IDs and codes. */
	seed?: number;
	/** Makes IDs and codes differ from those of another start; the data stays the same. */
	idSeed?: number;
	/**
	 * Whether names and paths that the contracts do not define are rejected. Default: true, which holds our own nodes to the
	 * contracts. A sandbox started by a user ignores them, as real services do.
	 */
	strict?: boolean;
	/** Called with one line for each fault. Default: no log. */
	log?: (line: string) => void;
	/** Services to mount instead of all, for tests that need no others. */
	services?: ServiceFactory[];
}

/** A running sandbox. Everything that /control offers is also available in-process. */
export interface Sandbox {
	url: string;
	/** Base addresses of the services, as credentials contain them. */
	addresses: Record<ServiceName, string>;
	/** Data of credentials for the services, by credential type. */
	credentials: Record<string, { baseUrl: string } & Record<string, string>>;
	phoneUrl: string;
	/** The page with the phones of all people. */
	phonesUrl: string;
	deskUrl: string;
	controlUrl: string;
	world: World;
	demo: Demo;
	/** Returns the people with a phone. */
	listPeople: () => PublicDemoPerson[];
	faultRules: FaultRules;
	clock: { now(): number; advance(ms: number): void };
	requestLog: RequestLog;
	/** Live settings: an assignment takes effect at once. */
	settings: Record<ServiceName, Settings>;
	/** Responses that violated their contract and handlers that threw, since the last reset. */
	internalErrors: InternalError[];
	/**
	 * Runs a control action of a service, as POST /control/{service}/{action} does. desk/routes.ts lists those of the event
	 * services.
	 */
	control(service: ServiceName, action: string, input?: Record<string, unknown>): unknown;
	/** Returns the records of a service and the items on phones. They are the live objects: callers must not change them. */
	storedRecords(service: ServiceName): StoredRecords;
	/** Restores the seeded state: data, settings, fault rules, clock, request log, phone. */
	reset(): void;
	/** Stops at once; open connections are dropped. */
	close(): Promise<void>;
}

/** Starts the sandbox on loopback and resolves when it is ready. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1' } = options;
	const { server, open } = await createServer(options);
	await server.listen({ port, host });
	return open(`http://${host}:${(server.server.address() as AddressInfo).port}`);
}

/** Creates a sandbox without a socket: it responds only to `inject`, Fastify's call in the same process. */
export async function createSandboxInMemory(
	options: SandboxOptions = {},
): Promise<Sandbox & Pick<FastifyInstance, 'inject'>> {
	const { server, open } = await createServer(options);
	await server.ready();
	return Object.assign(open('http://localhost'), { inject: server.inject.bind(server) });
}

/** Creates the server with all routes. `open` returns the sandbox at the server's URL. */
async function createServer(
	options: SandboxOptions,
): Promise<{ server: FastifyInstance; open: (url: string) => Sandbox }> {
	const { strict = true, log } = options;
	const findRejectionReason = createOriginCheck(options.names ?? []);
	const world = createWorld(options);
	const services = (options.services ?? serviceFactories)
		.map((create) => create(world))
		.map((service) => (strict ? asStrict(service) : asLenient(service)));
	const faultRules = new FaultRules((name) => {
		const service = services.find((candidate) => candidate.name === name);
		return service && Object.keys(service.handlers);
	});

	const restoreInitialState = () => {
		faultRules.clear();
		for (const { name, settings } of services) {
			for (const key of Object.keys(world.settings[name])) delete world.settings[name][key];
			Object.assign(world.settings[name], settings);
		}
		for (const service of services) service.reset();
	};
	world.onReset(restoreInitialState);
	restoreInitialState();

	const server = Fastify({
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 8192 },
		frameworkErrors: (error, request, reply) => {
			const service = services.find(({ name }) =>
				request.url.startsWith(`${serviceTable[name].sandbox}/`),
			);
			const response = service?.errorBody(400, 'contract', 'The path is not valid');
			return sendResponse(
				reply,
				serializeResponse(response ?? { status: 400, body: { error: error.message } }),
			);
		},
	});
	server.setValidatorCompiler(compileOnFirstUse);
	// Runs before everything else, also for requests without a route.
	server.addHook('onRequest', async ({ headers }, reply) => {
		// The sandbox's clock, which all timestamps use: clients that poll for changes rely on it.
		void reply.header('date', new Date(world.now()).toUTCString());
		const reason = findRejectionReason(headers);
		if (reason !== undefined) return await reply.code(403).send({ error: reason });
	});
	for (const service of services) {
		const operations = await loadOperations(service);
		mountService(server, service, operations, { world, faultRules, strict, log });
	}
	const pluginsByName = {
		control: controlRoutes({ world, faultRules, services }),
		common: async (scope: FastifyInstance) => servePage(scope, join(__dirname, 'common')),
		phone: phoneRoutes({ world, services }),
		phones: phonesRoutes({ world, services }),
		desk: deskRoutes({ world, services }),
	};
	for (const [name, plugin] of Object.entries(pluginsByName)) {
		await server.register(namePlugin(name, plugin), { prefix: `/${name}` });
	}
	await server.register(namePlugin('root', startRoutes({ world, services })));
	const open = (url: string): Sandbox => {
		const addresses = Object.fromEntries(
			serviceNames.map((name) => [name, url + serviceTable[name].sandbox]),
		) as Record<ServiceName, string>;
		const credentials = Object.fromEntries(
			services.map(({ name, credential }) => [
				serviceTable[name].credential,
				{ baseUrl: addresses[name], ...credential },
			]),
		);
		return {
			url,
			addresses,
			credentials,
			phoneUrl: `${url}/phone`,
			phonesUrl: `${url}/phones`,
			deskUrl: `${url}/desk`,
			controlUrl: `${url}/control`,
			world,
			demo: world.demo,
			listPeople: () => listDemoPeople({ world, services }),
			faultRules,
			clock: { now: () => world.now(), advance: (ms) => world.advance(ms) },
			requestLog: world.requestLog,
			settings: world.settings,
			internalErrors: world.internalErrors,
			control: (service, action, input) => runControl(services, service, action, input),
			storedRecords: (name) => {
				const service = services.find((candidate) => candidate.name === name);
				const phone = indexById(world.phone.items(), ({ kind, id }) => `${kind} ${id}`);
				return { ...service?.storedRecords(), phone };
			},
			reset: () => world.reset(),
			close: () => server.close(),
		};
	};
	return { server, open };
}

import type { FastifyInstance } from 'fastify';

import { ControlError } from './controlError';
import { sendErrorsAsJson } from './pages';
import { Refusal } from './refusal';
import { serviceNames } from './service';
import type { ServiceDefinition, ServiceName, Settings, World } from './service';
import { weatherKinds } from './weather';
import type { Weather, WeatherRule } from './weather';

/** The parts of the sandbox that the control routes act on. */
export interface Controlled {
	world: World;
	weather: Weather;
	services: ServiceDefinition[];
}

const service = { enum: serviceNames };

const weatherSchema = {
	type: 'object',
	required: ['service', 'kind'],
	additionalProperties: false,
	properties: {
		service,
		operation: { type: 'string' },
		kind: { enum: weatherKinds },
		retryAfter: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'string' }] },
		times: { type: 'integer', minimum: 1 },
		share: { type: 'number', minimum: 0, maximum: 1 },
		delayMs: { type: 'number', minimum: 0 },
		after: { type: 'boolean' },
	},
};

const clockSchema = {
	type: 'object',
	minProperties: 1,
	maxProperties: 1,
	additionalProperties: false,
	properties: {
		advanceMs: { type: 'number', minimum: 0 },
		advanceSeconds: { type: 'number', minimum: 0 },
	},
};

const filterSchema = {
	type: 'object',
	additionalProperties: false,
	properties: { service, operation: { type: 'string' } },
};

/** The JSON API under /control: weather, clock, journal, settings, reset, actions of services. */
export function controlRoutes({ world, weather, services }: Controlled) {
	return async (server: FastifyInstance) => {
		sendErrorsAsJson(server);
		server.setNotFoundHandler((_, reply) =>
			reply.code(404).send({ error: 'There is no such control' }),
		);

		server.get('/weather', () => weather.rules());
		server.post<{ Body: WeatherRule }>(
			'/weather',
			{ schema: { body: weatherSchema } },
			async ({ body }, reply) => {
				setWeather(weather, body);
				return reply.code(201).send(weather.rules());
			},
		);
		server.delete<{ Querystring: { service?: ServiceName } }>(
			'/weather',
			{ schema: { querystring: { ...filterSchema, properties: { service } } } },
			({ query }) => {
				weather.clear(query.service);
				return weather.rules();
			},
		);

		const time = () => ({ now: world.now(), iso: new Date(world.now()).toISOString() });
		server.get('/clock', time);
		server.post<{ Body: { advanceMs?: number; advanceSeconds?: number } }>(
			'/clock',
			{ schema: { body: clockSchema } },
			({ body }) => {
				world.advance(body.advanceMs ?? (body.advanceSeconds ?? 0) * 1000);
				return time();
			},
		);

		server.post('/reset', () => {
			world.reset();
			return { status: 'reset' };
		});

		server.get<{ Querystring: { service?: ServiceName; operation?: string } }>(
			'/journal',
			{ schema: { querystring: filterSchema } },
			({ query }) =>
				world.journal.entries({ service: query.service, operationId: query.operation }),
		);
		server.get('/journal/counts', () => world.journal.counts());
		server.get('/faults', () => world.faults);

		server.get('/settings', () => world.settings);
		server.put<{ Params: { service: string }; Body: unknown }>(
			'/settings/:service',
			({ params, body }) => changeSettings(world, services, params.service, body),
		);

		server.post<{ Params: { service: string; action: string }; Body: unknown }>(
			'/:service/:action',
			async ({ params, body }, reply) => {
				const result = await runControl(services, params.service, params.action, body ?? {});
				return reply.send(result ?? { status: 'done' });
			},
		);
	};
}

/** Runs a control action of a service. Throws a ControlError that describes invalid input. */
export function runControl(
	services: ServiceDefinition[],
	name: string,
	action: string,
	input: unknown = {},
): unknown {
	const { controls = {} } = findService(services, name);
	if (!Object.hasOwn(controls, action)) {
		const known = Object.keys(controls).join(', ') || 'none';
		throw new ControlError(404, `'${name}' has no action '${action}'; it has: ${known}`);
	}
	if (!isObject(input)) throw new ControlError(400, 'The input must be a JSON object');
	return withControlErrors(() => controls[action]!(input));
}

/** Runs an action of a service and converts every error that it throws into a ControlError. */
export function withControlErrors(run: () => unknown): unknown {
	const refuse = (error: Error) => {
		if (error instanceof ControlError) throw error;
		if (error instanceof Refusal) {
			throw new ControlError(error.answer.status, error.message, error.fields);
		}
		throw new ControlError(400, error.message);
	};
	try {
		const result = run();
		return result instanceof Promise ? result.catch(refuse) : result;
	} catch (error) {
		return refuse(error as Error);
	}
}

function setWeather(weather: Weather, rule: WeatherRule): void {
	try {
		weather.set(rule);
	} catch (error) {
		throw new ControlError(400, (error as Error).message);
	}
}

/** Changes the given settings and leaves the others; either all of them or none. */
function changeSettings(
	world: World,
	services: ServiceDefinition[],
	name: string,
	changes: unknown,
): Settings {
	const { settings, settingChoices = {} } = findService(services, name);
	if (!isObject(changes)) throw new ControlError(400, 'The settings must be a JSON object');
	for (const [key, value] of Object.entries(changes)) {
		if (!Object.hasOwn(settings, key)) {
			const known = Object.keys(settings).join(', ');
			throw new ControlError(400, `'${name}' has no setting '${key}'; it has: ${known}`);
		}
		const choices = settingChoices[key];
		const current = settings[key];
		if (choices ? !choices.includes(value as never) : !sameType(current, value)) {
			const wanted = choices ? `one of ${choices.join(', ')}` : `a ${typeof current}`;
			throw new ControlError(400, `'${key}' must be ${wanted}`);
		}
	}
	return Object.assign(world.settings[name as ServiceName], changes);
}

/** Whether a value has the type of the current one. A setting whose default is null accepts any simple value. */
function sameType(current: unknown, value: unknown): boolean {
	return current === null ? typeof value !== 'object' : typeof value === typeof current;
}

function findService(services: ServiceDefinition[], name: string): ServiceDefinition {
	const found = services.find((candidate) => candidate.name === name);
	if (!found) throw new ControlError(404, `There is no service '${name}'`);
	return found;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

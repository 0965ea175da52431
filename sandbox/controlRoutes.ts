import type { FastifyInstance } from 'fastify';

import { ControlError } from './controlError';
import { faultKinds } from './faultRules';
import type { FaultRules, FaultRule } from './faultRules';
import { RejectedRequest } from './rejectedRequest';
import { sendErrorsAsJson } from './servePage';
import { serviceNames } from './service';
import type { ServiceDefinition, ServiceName, Settings, World } from './service';

/** The parts of the sandbox that the control routes act on. */
export interface ControlContext {
	world: World;
	faultRules: FaultRules;
	services: ServiceDefinition[];
}

const serviceSchema = { enum: serviceNames };

const faultRuleSchema = {
	type: 'object',
	required: ['service', 'kind'],
	additionalProperties: false,
	properties: {
		service: serviceSchema,
		operation: { type: 'string' },
		kind: { enum: faultKinds },
		retryAfter: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'string' }] },
		times: { type: 'integer', minimum: 1 },
		share: { type: 'number', minimum: 0, maximum: 1 },
		delayMs: { type: 'number', minimum: 0 },
		afterExecution: { type: 'boolean' },
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
	properties: { service: serviceSchema, operation: { type: 'string' } },
};

/** The JSON API under /control: fault rules, clock, request log, settings, reset, actions of services. */
export function controlRoutes({ world, faultRules, services }: ControlContext) {
	return async (server: FastifyInstance) => {
		sendErrorsAsJson(server);
		server.setNotFoundHandler((_, reply) =>
			reply.code(404).send({ error: 'There is no such control' }),
		);

		server.get('/fault-rules', () => faultRules.rules());
		server.post<{ Body: FaultRule }>(
			'/fault-rules',
			{ schema: { body: faultRuleSchema } },
			async ({ body }, reply) => {
				addFaultRule(faultRules, body);
				return reply.code(201).send(faultRules.rules());
			},
		);
		server.delete<{ Querystring: { service?: ServiceName } }>(
			'/fault-rules',
			{ schema: { querystring: { ...filterSchema, properties: { service: serviceSchema } } } },
			({ query }) => {
				faultRules.clear(query.service);
				return faultRules.rules();
			},
		);

		const readClock = () => ({ now: world.now(), iso: new Date(world.now()).toISOString() });
		server.get('/clock', readClock);
		server.post<{ Body: { advanceMs?: number; advanceSeconds?: number } }>(
			'/clock',
			{ schema: { body: clockSchema } },
			({ body }) => {
				world.advance(body.advanceMs ?? (body.advanceSeconds ?? 0) * 1000);
				return readClock();
			},
		);

		server.post('/reset', () => {
			world.reset();
			return { status: 'reset' };
		});

		server.get<{ Querystring: { service?: ServiceName; operation?: string } }>(
			'/request-log',
			{ schema: { querystring: filterSchema } },
			({ query }) =>
				world.requestLog.entries({ service: query.service, operationId: query.operation }),
		);
		server.get('/request-log/counts', () => world.requestLog.counts());
		server.get('/internal-errors', () => world.internalErrors);

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
		const actions = Object.keys(controls).join(', ') || 'none';
		throw new ControlError(404, `'${name}' has no action '${action}'; it has: ${actions}`);
	}
	if (!isObject(input)) throw new ControlError(400, 'The input must be a JSON object');
	return withControlErrors(() => controls[action]!(input));
}

/** Runs an action of a service and converts every error that it throws into a ControlError. */
export function withControlErrors(run: () => unknown): unknown {
	const throwControlError = (error: Error) => {
		if (error instanceof ControlError) throw error;
		if (error instanceof RejectedRequest) {
			throw new ControlError(error.response.status, error.message, error.fields);
		}
		throw new ControlError(400, error.message);
	};
	try {
		const result = run();
		return result instanceof Promise ? result.catch(throwControlError) : result;
	} catch (error) {
		return throwControlError(error as Error);
	}
}

function addFaultRule(faultRules: FaultRules, rule: FaultRule): void {
	try {
		faultRules.add(rule);
	} catch (error) {
		throw new ControlError(400, (error as Error).message);
	}
}

/** Changes the given settings and leaves the others. If one value is invalid, changes none. */
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
			const names = Object.keys(settings).join(', ');
			throw new ControlError(400, `'${name}' has no setting '${key}'; it has: ${names}`);
		}
		const choices = settingChoices[key];
		const current = settings[key];
		if (choices ? !choices.includes(value as never) : !hasSameType(current, value)) {
			const expected = choices ? `one of ${choices.join(', ')}` : `a ${typeof current}`;
			throw new ControlError(400, `'${key}' must be ${expected}`);
		}
	}
	return Object.assign(world.settings[name as ServiceName], changes);
}

/** Whether a value has the type of the current one. A setting whose default is null accepts any simple value. */
function hasSameType(current: unknown, value: unknown): boolean {
	return current === null ? typeof value !== 'object' : typeof value === typeof current;
}

function findService(services: ServiceDefinition[], name: string): ServiceDefinition {
	const service = services.find((candidate) => candidate.name === name);
	if (!service) throw new ControlError(404, `There is no service '${name}'`);
	return service;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { join } from 'node:path';

import { indexById } from '../../sandbox/service';
import type {
	HandlerResponse,
	ServiceRequest,
	ServiceDefinition,
	ServiceFactory,
} from '../../sandbox/service';

interface Thing {
	id: number;
	name: string;
	size?: number;
	made?: string;
}

/** The header that the service requires, with the right value. */
export const keyHeader = { 'x-key': 'a-very-secret-key' };

/** Responses that violate the contract, each in the way that its name says. */
const brokenResponses: Record<string, () => HandlerResponse> = {
	type: () => ({ status: 200, body: { id: 'one', name: 'a' } }),
	missing: () => ({ status: 200, body: { id: 1 } }),
	format: () => ({ status: 200, body: { id: 1, name: 'a', made: '2026-02-30T10:00:00Z' } }),
	status: () => ({ status: 418, body: { id: 1, name: 'a' } }),
	media: () => ({ status: 200, body: 'x', contentType: 'text/csv' }),
	empty: () => ({ status: 200 }),
	throws: () => {
		throw new Error('handler gave up');
	},
};

/** A small service that replaces the identity service, to test the core of the sandbox without the real services. */
export const thingService: ServiceFactory = (world) => {
	let things: Thing[] = [];
	const problem = (status: number, detail: string): HandlerResponse => ({
		status,
		body: { error: status, detail },
	});
	const findThing = (id: number) => things.find((thing) => thing.id === id);
	const service: ServiceDefinition = {
		name: 'passwordlessIdentity',
		credential: keyHeader,
		contract: join(__dirname, 'core.contract.yaml'),
		settings: { greeting: 'hello', form: 'json', limit: 3, open: true, note: null },
		settingChoices: { form: ['json', 'jwt'] },
		authorize: (headers) =>
			headers['x-key'] === keyHeader['x-key'] ? undefined : problem(401, 'Who are you?'),
		errorBody: (status, kind, message, details) => ({
			status: kind === 'media-type' && details?.operationId === 'signThing' ? 405 : status,
			body: { error: status, kind, detail: message, fields: details?.fields },
		}),
		reset() {
			things = [{ id: 1, name: String(world.settings.passwordlessIdentity.greeting) }];
			world.phone.deliver({
				kind: 'sms',
				id: 'welcome',
				at: world.now(),
				to: { phone: '+15550100' },
				from: 'sandbox',
				text: 'Welcome',
			});
		},
		storedRecords: () => ({ things: indexById(things, ({ id }) => id) }),
		controls: {
			rename: ({ id, name }) => {
				const thing = findThing(id as number);
				if (!thing) throw new Error(`There is no thing ${String(id)}`);
				thing.name = name as string;
				return thing;
			},
			quiet: () => undefined,
		},
		handlers: {
			getThings: ({ query, now }: ServiceRequest) => ({
				status: 200,
				body: { query, now, things },
			}),
			createThing: ({ body }: ServiceRequest<object, object, { name: string; size?: number }>) => {
				const thing = { id: things.length + 1, ...body };
				things.push(thing);
				return { status: 201, body: thing };
			},
			getThing: ({ params }: ServiceRequest<{ id: number }>) => {
				const thing = findThing(params.id);
				return thing ? { status: 200, body: thing } : problem(404, 'No such thing');
			},
			checkThing: ({ params }: ServiceRequest<{ id: number }>) =>
				findThing(params.id) ? { status: 200 } : problem(404, 'No such thing'),
			signThing: ({ body }: ServiceRequest<object, object, string>) => ({
				status: 200,
				body,
				contentType: 'application/jwt',
			}),
			deleteThing: ({ params }: ServiceRequest<{ id: number }>) => {
				things = things.filter((thing) => thing.id !== params.id);
				return { status: 204 };
			},
			getForm: () => ({ status: 200, body: { Name: 'name' } }),
			verifyCode: () => ({ status: 200, body: { ok: true } }),
			searchCounts: ({ body }: ServiceRequest<object, object, number>) => ({
				status: 200,
				body: [body],
			}),
			getBroken: ({ params }: ServiceRequest<{ how: string }>) => brokenResponses[params.how]!(),
		},
	};
	return service;
};

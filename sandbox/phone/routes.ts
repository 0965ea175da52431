import type { FastifyInstance, FastifyReply } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ControlError, runControl } from '../control';
import type { PhoneIdentity, PhoneItem } from '../phoneBus';
import type { ServiceDefinition, World } from '../service';

const page = join(__dirname, 'page');
const types: Record<string, string> = {
	html: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	svg: 'image/svg+xml',
};
// Approval requests may name logos anywhere; everything else comes from the sandbox itself.
const policy = "default-src 'self'; img-src 'self' data: https:; frame-ancestors 'none'";

const identitySchema = {
	type: 'object',
	additionalProperties: false,
	properties: {
		fingerprint: { type: 'string' },
		phone: { type: 'string' },
		email: { type: 'string' },
	},
};

const decisionSchema = {
	type: 'object',
	required: ['decision'],
	additionalProperties: false,
	properties: { decision: { enum: ['approved', 'denied'] } },
};

/** The item as the phone shall see it now: what ran out is expired, whether or not anyone asked. */
export function present(item: PhoneItem, now: number): PhoneItem {
	if (item.kind !== 'scopeJob' && item.kind !== 'approval') return item;
	const open = item.status === 'waiting' || item.status === 'pending';
	const over = item.expiresAt !== undefined && item.expiresAt <= now;
	return open && over ? { ...item, status: 'expired' } : item;
}

/** The phone's page under /phone and what it needs under /phone/api. */
export function phoneRoutes({ world, services }: { world: World; services: ServiceDefinition[] }) {
	return async (server: FastifyInstance) => {
		server.setErrorHandler((error: Error & { statusCode?: number; status?: number }, _, reply) =>
			reply.code(error.status ?? error.statusCode ?? 500).send({ error: error.message }),
		);

		const sendFile = async (name: string, reply: FastifyReply) => {
			const type = types[name.split('.').at(-1)!];
			const known = type !== undefined && /^[a-z]+\.[a-z]+$/.test(name);
			const content = known ? await readFile(join(page, name)).catch(() => undefined) : undefined;
			if (!content) return reply.code(404).send({ error: 'There is no such file' });
			return reply
				.headers({ 'cache-control': 'no-cache', 'content-security-policy': policy })
				.type(type!)
				.send(content);
		};
		server.get('/', (_request, reply) => sendFile('index.html', reply));
		server.get<{ Params: { file: string } }>('/:file', ({ params }, reply) =>
			sendFile(params.file, reply),
		);

		server.get('/api/demo', () => {
			const { fingerprint, privateJwk, name, email, phone } = world.demo.user;
			return {
				user: { fingerprint, privateJwk, name, email, phone },
				application: world.demo.application.fingerprint,
			};
		});

		const querystring = identitySchema;
		server.get<{ Querystring: PhoneIdentity }>(
			'/api/items',
			{ schema: { querystring } },
			({ query }) => {
				const now = world.now();
				return { now, items: world.phone.items(query).map((item) => present(item, now)) };
			},
		);

		server.get<{ Querystring: PhoneIdentity }>(
			'/api/stream',
			{ schema: { querystring } },
			({ query, raw }, reply) => {
				reply.hijack();
				const stream = reply.raw;
				stream.writeHead(200, {
					'content-type': 'text/event-stream; charset=utf-8',
					'cache-control': 'no-store',
				});
				const send = (event: string, data: object) =>
					stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
				const refresh = () => send('refresh', { now: world.now() });
				const unwatch = world.phone.watch(query, (item) =>
					send('item', { now: world.now(), item: present(item, world.now()) }),
				);
				world.phone.on('refresh', refresh);
				const beat = setInterval(() => stream.write(': still here\n\n'), 15_000);
				beat.unref();
				raw.on('close', () => {
					clearInterval(beat);
					unwatch();
					world.phone.off('refresh', refresh);
				});
				// Whatever arrived between the page's first look and this moment is fetched again.
				refresh();
			},
		);

		server.post<{ Params: { uuid: string }; Body: { decision: string } }>(
			'/api/approvals/:uuid',
			{ schema: { body: decisionSchema } },
			({ params, body }) =>
				runControl(services, 'twoFactor', 'decide', {
					uuid: params.uuid,
					decision: body.decision,
				}),
		);

		server.get<{ Querystring: { phone: string } }>('/api/tokens', async ({ query }) => {
			try {
				return await runControl(services, 'twoFactor', 'tokens', { phone: query.phone });
			} catch (error) {
				if (error instanceof ControlError) return [];
				throw error;
			}
		});
	};
}

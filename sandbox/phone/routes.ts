import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';

import { ControlError } from '../controlError';
import { runControl } from '../controlRoutes';
import { demoPersonByHolder } from '../demoIdentities';
import type { PhoneHolder } from '../demoIdentities';
import { findDemoUserId } from '../demoPeople';
import type { PhoneIdentity, PhoneItem } from '../phoneBus';
import { sendEvents } from '../sendEvents';
import { servePage } from '../servePage';
import type { ServiceDefinition, World } from '../service';

const identitySchema = {
	type: 'object',
	additionalProperties: false,
	properties: {
		fingerprint: { type: 'string' },
		phone: { type: 'string' },
		email: { type: 'string' },
	},
};

const holderSchema = {
	type: 'object',
	additionalProperties: false,
	properties: { user: { enum: Object.keys(demoPersonByHolder) } },
};

const decisionSchema = {
	type: 'object',
	required: ['decision'],
	additionalProperties: false,
	properties: { decision: { enum: ['approved', 'denied'] } },
};

/** Returns an item as the phone shows it now: an overdue one is expired, even if no request has found that yet. */
export function withExpiry(item: PhoneItem, now: number): PhoneItem {
	if (item.kind !== 'scopeJob' && item.kind !== 'approval') return item;
	const isOpen = item.status === 'waiting' || item.status === 'pending';
	const isOverdue = item.expiresAt !== undefined && item.expiresAt <= now;
	return isOpen && isOverdue ? { ...item, status: 'expired' } : item;
}

/** The phone's page under /phone and its data under /phone/api. */
export function phoneRoutes({ world, services }: { world: World; services: ServiceDefinition[] }) {
	return async (server: FastifyInstance) => {
		servePage(server, join(__dirname, 'page'));

		server.get<{ Querystring: { user?: PhoneHolder } }>(
			'/api/demo',
			{ schema: { querystring: holderSchema } },
			({ query: { user: holder = 'guest' } }) => {
				const { demo } = world;
				const { fingerprint, privateJwk, name, email, phone, address } =
					demo[demoPersonByHolder[holder]];
				const userId = findDemoUserId(services, phone);
				return {
					user: { holder, fingerprint, privateJwk, name, email, phone, address, userId },
					application: demo.application.fingerprint,
				};
			},
		);

		const querystring = identitySchema;
		server.get<{ Querystring: PhoneIdentity }>(
			'/api/items',
			{ schema: { querystring } },
			({ query }) => {
				const now = world.now();
				return { now, items: world.phone.items(query).map((item) => withExpiry(item, now)) };
			},
		);

		server.get<{ Querystring: PhoneIdentity }>(
			'/api/stream',
			{ schema: { querystring } },
			(request, reply) =>
				sendEvents(request, reply, (send) => {
					const refresh = () => send('refresh', { now: world.now() });
					const unwatch = world.phone.watch(request.query, (item) =>
						send('item', { now: world.now(), item: withExpiry(item, world.now()) }),
					);
					const unsubscribeRefresh = world.phone.onRefresh(refresh);
					// Makes the page reload items that arrived between its first request and this moment.
					refresh();
					return () => {
						unwatch();
						unsubscribeRefresh();
					};
				}),
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

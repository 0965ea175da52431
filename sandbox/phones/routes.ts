import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';

import { listDemoPeople } from '../demoPeople';
import { withExpiry } from '../phone/routes';
import type { PhoneItem } from '../phoneBus';
import { sendEvents } from '../sendEvents';
import { servePage } from '../servePage';
import type { ServiceDefinition, World } from '../service';

const isRequest = ({ kind }: PhoneItem) => kind === 'scopeJob' || kind === 'approval';

/**
 * The page with all phones under /phones and its data under /phones/api. It decides through the routes of /phone. One stream
 * serves all phones, since browsers allow six connections to a server over all tabs.
 */
export function phonesRoutes({ world, services }: { world: World; services: ServiceDefinition[] }) {
	return async (server: FastifyInstance) => {
		servePage(server, join(__dirname, 'page'));

		server.get('/api/people', () => ({
			people: listDemoPeople({ world, services }),
			application: world.demo.application.fingerprint,
		}));

		server.get('/api/items', () => {
			const now = world.now();
			const items = listDemoPeople({ world, services }).flatMap(({ holder, ...who }) =>
				world.phone
					.items(who)
					.filter(isRequest)
					.map((item) => ({ holder, item: withExpiry(item, now) })),
			);
			return { now, items };
		});

		server.get('/api/stream', (request, reply) =>
			sendEvents(request, reply, (send) => {
				const refresh = () => send('refresh', { now: world.now() });
				const unsubscribers = listDemoPeople({ world, services }).map(({ holder, ...who }) =>
					world.phone.watch(who, (item) => {
						const now = world.now();
						if (isRequest(item)) send('item', { now, holder, item: withExpiry(item, now) });
					}),
				);
				unsubscribers.push(world.phone.onRefresh(refresh));
				// Makes the page reload items that arrived between its first request and this moment.
				refresh();
				return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
			}),
		);
	};
}

import type { FastifyInstance } from 'fastify';
import type { ServiceDefinition, World } from '../service';

/** The phone's page and its API. */
export function phoneRoutes({ world }: { world: World; services: ServiceDefinition[] }) {
	return async (server: FastifyInstance) => {
		server.get('/api/demo', () => world.demo.user);
	};
}

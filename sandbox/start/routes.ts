import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';

import table from '../../contracts/services.json';
import { demoPeople } from '../demoPeople';
import { filesOf, servePage } from '../pages';
import type { ServiceDefinition, World } from '../service';

const folder = join(__dirname, 'page');

/** The start page at `/`, its files under /start, and its data under /start/api. */
export function startRoutes({ world, services }: { world: World; services: ServiceDefinition[] }) {
	/** Returns the data of a credential for each service, with the address of this request. */
	const keys = (origin: string) =>
		services.map(({ name, credential }) => {
			const { title, sandbox } = table[name];
			return { name, title, baseUrl: origin + sandbox, credential };
		});

	return async (server: FastifyInstance) => {
		const sendFile = filesOf(folder);
		server.get('/', (_request, reply) => sendFile('index.html', reply));
		await server.register(
			async (scope) => {
				servePage(scope, folder);
				scope.get('/api/overview', ({ headers }) => ({
					services: keys(`http://${headers.host}`),
					people: demoPeople({ world, services }),
				}));
			},
			{ prefix: '/start' },
		);
	};
}

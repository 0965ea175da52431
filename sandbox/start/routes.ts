import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';

import serviceTable from '../../contracts/services.json';
import { listDemoPeople } from '../demoPeople';
import { namePlugin } from '../namePlugin';
import { createFileSender, servePage } from '../servePage';
import type { ServiceDefinition, World } from '../service';

const folder = join(__dirname, 'page');

/** The start page at `/`, its files under /start, and its data under /start/api. */
export function startRoutes({ world, services }: { world: World; services: ServiceDefinition[] }) {
	/** Returns the data of a credential for each service, with the address of this request. */
	const describeServices = (origin: string) =>
		services.map(({ name, credential }) => {
			const { title, sandbox } = serviceTable[name];
			return { name, title, baseUrl: origin + sandbox, credential };
		});

	return async (server: FastifyInstance) => {
		const sendFile = createFileSender(folder);
		server.get('/', (_request, reply) => sendFile('index.html', reply));
		await server.register(
			namePlugin('start', async (scope) => {
				servePage(scope, folder);
				scope.get('/api/overview', ({ headers }) => ({
					services: describeServices(`http://${headers.host}`),
					people: listDemoPeople({ world, services }),
				}));
			}),
			{ prefix: '/start' },
		);
	};
}

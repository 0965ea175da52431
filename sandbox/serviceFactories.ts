import { createRequire } from 'node:module';

import { serviceNames } from './service';
import type { ServiceFactory } from './service';

const requireFolder = createRequire(__filename);

/** The services that the server mounts, from their folders: each exports its factory under the service's name. */
export const serviceFactories: ServiceFactory[] = serviceNames.map((name) => {
	const { [name]: factory } = requireFolder(`./${name}`) as Record<
		string,
		ServiceFactory | undefined
	>;
	if (!factory) throw new Error(`sandbox/${name} exports no '${name}'`);
	return factory;
});

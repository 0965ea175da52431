// Protects users who start with a service: an example uses its node, whichever service of the pack it is.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { packServices } from '../support/pack';

const folder = path.resolve(__dirname, '..', '..', 'examples');

test('an example uses each service', () => {
	const types = readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.flatMap((name) => {
			const { nodes } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as {
				nodes: Array<{ type: string }>;
			};
			return nodes.map(({ type }) => type);
		});
	const unusedServices = packServices
		.map(({ name }) => name)
		.filter((name) => !types.some((type) => type.endsWith(`.${name}`)));
	expect(unusedServices).toEqual([]);
});

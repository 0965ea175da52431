// Protects services that request a pause: requests with the same method and path template share it. Each endpoint therefore
// has one template, which is that of its contract. The nodes may omit the base of the path.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import services from '../../contracts/services.json';
import { typeScriptFilesBelow, root } from './files';

/** The path under which some services delete a user instead. */
const ALTERNATIVE_PATHS = ['/protected/json/users/{twofactor_id}/remove'];

const TEMPLATE = /['"](?:[A-Z]+ )?(\/[\w/.-]*\{[\w/{}.-]+)['"]/g;

it.each(Object.entries(services))(
	'the nodes of %s use only path templates of its contract',
	(name, service) => {
		const contract = readFileSync(join(root, `contracts/${name}.yaml`), 'utf8');
		const contractPaths = [...contract.matchAll(/^  (\/\S+):$/gm)].map(([, path]) => path!);
		const usedTemplates = typeScriptFilesBelow(`nodes/${service.folder}`).flatMap((file) =>
			[...readFileSync(join(root, file), 'utf8').matchAll(TEMPLATE)].map(([, path]) => path!),
		);
		expect(usedTemplates.length).toBeGreaterThan(3);
		const isKnown = (path: string) =>
			[...contractPaths, ...ALTERNATIVE_PATHS].some((template) => template.endsWith(path));
		expect(usedTemplates.filter((path) => !isKnown(path))).toEqual([]);
	},
);

import type { ICredentialType, INodeType } from 'n8n-workflow';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import services from '../../contracts/services.json';
import type { Catalog } from '../../nodes/engine/operation';
import { serviceNames } from '../../sandbox/service';
import type { ServiceName } from '../../sandbox/service';

type NodeClass = new () => INodeType;

/** One service of the pack, with everything that tests iterate over. */
export interface PackService {
	/** The service's name, which is also its node's. */
	name: ServiceName;
	/** File name of the contract. */
	contract: string;
	service: Catalog;
	Node: NodeClass;
	/** Missing if the service has no trigger. */
	Trigger?: NodeClass;
	Credential: new () => ICredentialType;
}

const requireFile = createRequire(__filename);
const root = join(__dirname, '../..');

/** Returns an export of a file. The path includes `.ts`, because `.node` alone would be taken for the file extension. */
function loadExport<T>(file: string, name: string): T {
	const { [name]: value } = requireFile(join(root, `${file}.ts`)) as Record<string, T | undefined>;
	if (value === undefined) throw new Error(`${file}.ts exports no '${name}'`);
	return value;
}

/** The pack's services, in the order of contracts/services.json. */
export const packServices: PackService[] = serviceNames.map((name) => {
	const { folder, contract, credential } = services[name];
	const trigger = `nodes/${folder}/${folder}Trigger.node`;
	const Credential = credential[0]!.toUpperCase() + credential.slice(1);
	return {
		name,
		contract,
		service: loadExport(`nodes/${folder}/service`, 'service'),
		Node: loadExport(`nodes/${folder}/${folder}.node`, folder),
		...(existsSync(join(root, `${trigger}.ts`)) && {
			Trigger: loadExport<NodeClass>(trigger, `${folder}Trigger`),
		}),
		Credential: loadExport(`credentials/${Credential}.credentials`, Credential),
	};
});

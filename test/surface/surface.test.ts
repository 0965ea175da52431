// Protects stored workflows, other programs and the database: the parts of the pack that they contain stay.
import { createOutputSchema } from '../../scripts/schemas';
import { contractOperations } from '../support/contracts';
import { packServices } from '../support/pack';
import { expectFrozen } from './frozen';
import { credentialLines, nodeLines } from './lines';

// "npm run surface" adds new parts to the snapshot. Removing one breaks users' workflows (docs/upgrading.md).

// Sorted by name, so that the order of the services does not change the snapshot.
const sortedServices = packServices.toSorted((a, b) => (a.name < b.name ? -1 : 1));
const triggers = sortedServices.flatMap(({ Trigger }) => Trigger ?? []);
const nodes = [...sortedServices.map(({ Node }) => Node), ...triggers].map(
	(Type) => new Type().description,
);
const credentials = sortedServices.map(({ Credential }) => new Credential());

it('the pack has the nodes and credentials of the snapshot', () => {
	expectFrozen([...nodes, ...credentials].map(({ name }) => name));
});

it.each(nodes.map((node) => [node.name, node] as const))(
	'workflows store the parameters in the snapshot for the node %s',
	(_, node) => {
		expectFrozen(nodeLines(node));
	},
);

it.each(credentials.map((credential) => [credential.name, credential] as const))(
	'n8n stores the fields in the snapshot for the credential %s',
	(_, credential) => {
		expectFrozen(credentialLines(credential));
	},
);

/** Returns the name of a service in kebab case, as in the addresses of its documentation. */
const toKebabCase = (name: string) =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

it.each(packServices.map((packService) => [toKebabCase(packService.name), packService] as const))(
	'the operations output the fields in the snapshot for %s',
	(_, { contract, service }) => {
		const listedOperations = contractOperations(contract);
		const lines = Object.entries(service.resources).flatMap(([resource, { operations }]) =>
			Object.entries(operations).flatMap(([operation, definition]) => {
				const { properties = {} } = createOutputSchema(definition, listedOperations) ?? {};
				return Object.entries(properties).map(
					([name, { type }]) => `${resource}.${operation} gives ${name}: ${type}`,
				);
			}),
		);
		expectFrozen(lines);
	},
);

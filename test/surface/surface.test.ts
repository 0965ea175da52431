import { outputSchema } from '../../scripts/schemas';
import { contractOperations } from '../support/contracts';
import { packServices } from '../support/pack';
import { expectFrozen } from './frozen';
import { credentialLines, nodeLines } from './lines';

// Parts of the pack that stored workflows, other programs and the database contain. "npm run surface" adds new ones to the
// snapshot; removing one breaks users' workflows (docs/upgrading.md).

// In an order that does not change with that of the services.
const sorted = packServices.toSorted((a, b) => (a.name < b.name ? -1 : 1));
const triggers = sorted.flatMap(({ Trigger }) => Trigger ?? []);
const nodes = [...sorted.map(({ Node }) => Node), ...triggers].map(
	(Type) => new Type().description,
);
const credentials = sorted.map(({ Credential }) => new Credential());

it('names these nodes and credentials', () => {
	expectFrozen([...nodes, ...credentials].map(({ name }) => name));
});

it.each(nodes.map((node) => [node.name, node] as const))(
	'stores these parameters of %s',
	(_, node) => {
		expectFrozen(nodeLines(node));
	},
);

it.each(credentials.map((credential) => [credential.name, credential] as const))(
	'stores these fields of %s',
	(_, credential) => {
		expectFrozen(credentialLines(credential));
	},
);

/** A service's name as it is in the addresses of its documentation. */
const inAddresses = (name: string) =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

it.each(packServices.map((part) => [inAddresses(part.name), part] as const))(
	'puts out these fields for %s',
	(_, { contract, service }) => {
		const listedOperations = contractOperations(contract);
		const lines = Object.entries(service.resources).flatMap(([resource, { operations }]) =>
			Object.entries(operations).flatMap(([operation, row]) => {
				const { properties = {} } = outputSchema(row, listedOperations) ?? {};
				return Object.entries(properties).map(
					([name, { type }]) => `${resource}.${operation} gives ${name}: ${type}`,
				);
			}),
		);
		expectFrozen(lines);
	},
);

import { outputSchema } from '../../scripts/schemas';
import { contractOperations } from '../support/contracts';
import { packServices } from '../support/pack';
import { credentialLines, nodeLines } from './lines';

// What stored workflows, other programs and the database hold of the pack. A change here breaks somebody's workflow unless it
// is meant: then write the snapshot anew with "npm run surface", and say so in the changelog.

// In an order that does not change with that of the services.
const sorted = packServices.toSorted((a, b) => (a.name < b.name ? -1 : 1));
const triggers = sorted.flatMap(({ Trigger }) => Trigger ?? []);
const nodes = [...sorted.map(({ Node }) => Node), ...triggers].map(
	(Type) => new Type().description,
);
const credentials = sorted.map(({ Credential }) => new Credential());

it('names these nodes and credentials', () => {
	expect([...nodes, ...credentials].map(({ name }) => name)).toMatchSnapshot();
});

it.each(nodes.map((node) => [node.name, node] as const))(
	'stores these parameters of %s',
	(_, node) => {
		expect(nodeLines(node)).toMatchSnapshot();
	},
);

it.each(credentials.map((credential) => [credential.name, credential] as const))(
	'stores these fields of %s',
	(_, credential) => {
		expect(credentialLines(credential)).toMatchSnapshot();
	},
);

/** A service's name as it is in the addresses of its documentation. */
const inAddresses = (name: string) =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

it.each(packServices.map((part) => [inAddresses(part.name), part] as const))(
	'puts out these fields for %s',
	(_, { contract, service }) => {
		const known = contractOperations(contract);
		const lines = Object.entries(service.resources).flatMap(([resource, { operations }]) =>
			Object.entries(operations).map(([operation, row]) => {
				const { properties = {} } = outputSchema(row, known) ?? {};
				const fields = Object.entries(properties).map(([name, { type }]) => `${name}: ${type}`);
				return `${resource}.${operation} = ${fields.join(', ')}`;
			}),
		);
		expect(lines).toMatchSnapshot();
	},
);

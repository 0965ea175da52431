import { contractOperations } from '../support/contracts';
import { packServices } from '../support/pack';
import { key, rows, sentBy } from './walk';

// A field that takes a name needs the list that the name is looked up in.

const withNames = packServices.filter(({ service }) => service.names);

it('at least one service has records with names', () => {
	expect(withNames.map(({ name }) => name)).toContain('eventRegistration');
});

describe.each(packServices)('the fields of $name', (part) => {
	const takesName = new Map<string, Set<boolean>>();
	for (const { operation } of rows(part)) {
		for (const { field } of sentBy(operation)) {
			const flags = takesName.get(field.name) ?? new Set();
			takesName.set(
				field.name,
				flags.add(field.modes?.some(({ name }) => name === 'name') ?? false),
			);
		}
	}

	it('accept names exactly if the catalog has the list of their records', () => {
		const fieldsWithNames = [...takesName]
			.filter(([, takes]) => takes.has(true))
			.map(([name]) => name);
		expect(fieldsWithNames.sort()).toEqual(Object.keys(part.service.names ?? {}).sort());
		for (const name of fieldsWithNames)
			expect([name, [...takesName.get(name)!]]).toEqual([name, [true]]);
	});

	it('are looked up in lists that the contract has', () => {
		const contract = contractOperations(part.contract).map(({ method, path }) => key(method, path));
		for (const { path } of Object.values(part.service.names ?? {})) {
			expect(contract).toContain(key('GET', path));
		}
	});
});

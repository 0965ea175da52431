// Protects users who enter a name instead of an ID: a field that takes a name has the list that the name is looked up in.
import { contractOperations } from '../support/contracts';
import { packServices } from '../support/pack';
import { listOperations, listSentFields, requestLineOf } from './walk';

const servicesWithNames = packServices.filter(({ service }) => service.names);

it('at least one service has fields that accept names', () => {
	expect(servicesWithNames.map(({ name }) => name)).toContain('eventRegistration');
});

describe.each(packServices)('the fields of $name', (packService) => {
	const nameModesByField = new Map<string, Set<boolean>>();
	for (const { operation } of listOperations(packService)) {
		for (const { field } of listSentFields(operation)) {
			const flags = nameModesByField.get(field.name) ?? new Set();
			nameModesByField.set(
				field.name,
				flags.add(field.modes?.some(({ name }) => name === 'name') ?? false),
			);
		}
	}

	it('accept a name if, and only if, the catalog has the list to look it up in', () => {
		const fieldsWithNames = [...nameModesByField]
			.filter(([, flags]) => flags.has(true))
			.map(([name]) => name);
		expect(fieldsWithNames.sort()).toEqual(Object.keys(packService.service.names ?? {}).sort());
		for (const name of fieldsWithNames)
			expect([name, [...nameModesByField.get(name)!]]).toEqual([name, [true]]);
	});

	it('look names up in lists that the contract has', () => {
		const requestLines = contractOperations(packService.contract).map(requestLineOf);
		for (const { path } of Object.values(packService.service.names ?? {})) {
			expect(requestLines).toContain(requestLineOf({ method: 'GET', path }));
		}
	});
});

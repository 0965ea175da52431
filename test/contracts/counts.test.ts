import { operationsOf, readContract } from './documents';

describe.each([
	['passwordless-identity.yaml', 14, 5],
	['two-factor.yaml', 12, 12],
	['event-data.yaml', 13, 8],
	['event-registration.yaml', 38, 29],
])('%s', (file, operations, paths) => {
	const document = readContract(file);

	it(`has ${operations} operations`, () => {
		expect(operationsOf(document)).toHaveLength(operations);
	});

	it(`spreads them over ${paths} paths`, () => {
		expect(Object.keys(document.paths as object)).toHaveLength(paths);
	});

	it('is an OpenAPI 3.1 document', () => {
		expect(document.openapi).toMatch(/^3\.1\./);
	});
});

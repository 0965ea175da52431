// Protects everything that reads a contract: references resolve to what they name, and one that leads nowhere is rejected.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { operationsOf, readContract } from '../../contracts/read';

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'gatehouse-contract-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a contract to a file and reads it. */
function readContractText(yaml: string) {
	const file = join(folder, 'contract.yaml');
	writeFileSync(file, yaml);
	return readContract(file);
}

it('readContract resolves references, including references to references', () => {
	const { components } = readContractText(`
components:
  schemas:
    Door: { properties: { key: { $ref: '#/components/schemas/Key' } } }
    Key: { $ref: '#/components/schemas/Text' }
    Text: { type: string }
    List: { items: [{ $ref: '#/components/schemas/Text' }] }
`);
	expect(components.schemas).toEqual({
		Door: { properties: { key: { type: 'string' } } },
		Key: { type: 'string' },
		Text: { type: 'string' },
		List: { items: [{ type: 'string' }] },
	});
});

it('readContract returns the same object for the same reference', () => {
	const { schemas } = readContractText(`
components:
  schemas:
    A: { $ref: '#/components/schemas/Text' }
    B: { $ref: '#/components/schemas/Text' }
    Text: { type: string }
`).components;
	expect(schemas.A).toBe(schemas.B);
	expect(schemas.A).toBe(schemas.Text);
});

it('readContract resolves references with a slash, a tilde or a space in names', () => {
	const { components } = readContractText(`
paths: { '/a~b/{id} c': { get: { summary: found } } }
components: { schemas: { Path: { $ref: '#/paths/~1a~0b~1{id}%20c' } } }
`);
	expect(components.schemas.Path).toEqual({ get: { summary: 'found' } });
});

it.each([
	['#/components/schemas/Nobody', '#/components/schemas/Nobody leads nowhere in the contract'],
	['other.yaml#/Key', 'other.yaml#/Key leads nowhere in the contract'],
	['#/components', 'holds itself'],
])('readContract rejects %s', (reference, message) => {
	expect(() =>
		readContractText(`components: { schemas: { A: { $ref: '${reference}' } } }`),
	).toThrow(message);
});

it('operationsOf lists operations with the parameters of their path, and no other members of a path', () => {
	const contract = readContractText(`
paths:
  /key/{PK}:
    summary: A key
    parameters: [{ name: PK, in: path }]
    get: { operationId: getKey, parameters: [{ name: full, in: query }] }
    head: { operationId: checkKey }
`);
	expect(operationsOf(contract)).toEqual([
		{
			operationId: 'getKey',
			method: 'GET',
			path: '/key/{PK}',
			parameters: [
				{ name: 'PK', in: 'path' },
				{ name: 'full', in: 'query' },
			],
		},
		{
			operationId: 'checkKey',
			method: 'HEAD',
			path: '/key/{PK}',
			parameters: [{ name: 'PK', in: 'path' }],
		},
	]);
});

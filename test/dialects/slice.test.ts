// Protects users whose service differs from its contract. `npm run dialects` runs every operation in every dialect.
import { openSandboxPool } from '../hostile/matrix/sandboxPool';
import type { SandboxPool } from '../hostile/matrix/sandboxPool';
import { samples } from '../support/samples';
import { labelOf } from '../support/samples/sample';
import { dialects } from './catalog';
import { measure, runPlain } from './measure';

let pool: SandboxPool;
beforeAll(async () => {
	pool = await openSandboxPool(4);
});
afterAll(async () => await pool.close());

it('names every dialect once', () => {
	const names = dialects.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)]);
});

it.each([
	['eventRegistration registration getMany', 'gzip', 'right'],
	['eventRegistration registration getMany', 'list in "data" with pagination', 'right'],
	['eventRegistration contactList get', 'record in "data"', 'right'],
	['eventRegistration contactList get', 'numbers as texts', 'same'],
	['eventData attendee get', 'wrong base path: {} with 200', 'told'],
	['eventData session create', 'write answered with 204', 'told'],
	['eventData attendee get', 'list in "value"', undefined],
] as const)('%s, %s: %s', async (label, name, end) => {
	const sample = samples.find((candidate) => labelOf(candidate) === label)!;
	const dialect = dialects.find((candidate) => candidate.name === name)!;
	const plain = await runPlain(pool, [sample]);
	const results = await measure(pool, plain, [{ sample, dialect }]);
	// A pair in which no answer differs is left out.
	expect(results.map((result) => result.end)).toEqual(end === undefined ? [] : [end]);
});

// Protects users whose service differs from its contract: counts how every operation ends in every dialect.
import { writeFileSync } from 'node:fs';

import { openSandboxPool } from '../hostile/matrix/sandboxPool';
import { samples } from '../support/samples';
import { labelOf } from '../support/samples/sample';
import { dialects } from './catalog';
import { ENDS } from './classify';
import { measure, runPlain } from './measure';
import type { Result } from './measure';

/**
 * `DIALECTS` selects the dialects whose group and name match an expression, `DIALECTS_SHARE` every n-th pair. The file gets a
 * line for each pair.
 */
const { DIALECTS = '', DIALECTS_SHARE = '1', DIALECTS_FILE } = process.env;

const countEnds = (title: string, results: readonly Result[]) => [
	title,
	results.length,
	...ENDS.map((end) => results.filter((result) => result.end === end).length),
];

it('counts how every operation ends in every dialect', async () => {
	const pool = await openSandboxPool(12);
	try {
		const plain = await runPlain(pool, samples);
		const pairs = dialects
			.filter(({ name, group }) => new RegExp(DIALECTS).test(`${group}: ${name}`))
			.flatMap((dialect) => samples.map((sample) => ({ sample, dialect })))
			.filter((_, index) => index % Number(DIALECTS_SHARE) === 0);
		const results = await measure(pool, plain, pairs);
		expect(results.length).toBeGreaterThan(0);
		const nodes = [...new Set(samples.map(({ node }) => node))];
		const rows = [
			...nodes.map((name) =>
				countEnds(
					name,
					results.filter(({ sample }) => sample.node === name),
				),
			),
			countEnds('all', results),
		];
		console.log([['node', 'pairs', ...ENDS], ...rows].map((row) => row.join('\t')).join('\n'));
		const lines = results.map(({ sample, dialect: { group, name }, end, outcome }) =>
			[end, group, name, labelOf(sample), outcome].join('\t'),
		);
		if (DIALECTS_FILE) writeFileSync(DIALECTS_FILE, lines.join('\n'));
	} finally {
		await pool.close();
	}
}, 7_200_000);

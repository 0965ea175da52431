const { readdirSync } = require('node:fs');
const path = require('node:path');

/** Checks every contract with a maintained OpenAPI linter; fails on the first problem that it counts as an error or a warning. */
async function checkContracts(folder) {
	const { createConfig, formatProblems, getTotals, lint } = await import('@redocly/openapi-core');
	const config = await createConfig({
		extends: ['recommended'],
		rules: {
			// The claims of a token are referred to from an extension, which this rule does not look into.
			'no-unused-components': 'off',
		},
	});
	for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
		const problems = await lint({ ref: path.join(folder, file), config });
		formatProblems(problems, { format: 'stylish', totals: getTotals(problems), version: '' });
		if (problems.length > 0) throw new Error(`${file} has ${problems.length} problems`);
	}
}

module.exports = { checkContracts };

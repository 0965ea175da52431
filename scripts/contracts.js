const path = require('node:path');
const services = require('../contracts/services.json');

/** Checks every contract with a maintained OpenAPI linter; fails on the first problem that it counts as an error or a warning. */
async function checkContracts() {
	const { createConfig, formatProblems, getTotals, lint } = await import('@redocly/openapi-core');
	const config = await createConfig({
		extends: ['recommended'],
		rules: {
			// The claims of a token are referred to from an extension, which this rule does not look into.
			'no-unused-components': 'off',
		},
	});
	for (const { contract } of Object.values(services)) {
		const ref = path.join(__dirname, '../contracts', contract);
		const problems = await lint({ ref, config });
		formatProblems(problems, { format: 'stylish', totals: getTotals(problems), version: '' });
		if (problems.length > 0) throw new Error(`${contract} has ${problems.length} problems`);
	}
}

module.exports = { checkContracts };

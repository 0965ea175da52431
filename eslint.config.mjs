import { config as community } from '@n8n/node-cli/eslint';
import { defineConfig, globalIgnores } from 'eslint/config';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

// What n8n users install obeys n8n's community rules with the cloud preset; the rest obeys the ordinary ones.
const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts'];

export default defineConfig(
	globalIgnores([
		...['dist', 'packages', '.cache', 'lab/node_modules', 'lab/.run', 'lab/.n8n'],
		...['test/e2e/artifacts', 'sandbox/**/*.js'],
	]),
	{ files: [...shipped, 'package.json'], extends: [community] },
	{
		files: ['**/*.ts'],
		ignores: shipped,
		extends: [tseslint.configs.recommended],
		plugins: { 'import-x': importX },
	},
	{
		files: ['**/*.ts'],
		// n8n's configuration brings an older edition of the same plugin, which reads the types of this compiler wrongly.
		plugins: { typed: tseslint.plugin },
		languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
		rules: {
			'typed/await-thenable': 'error',
			'typed/consistent-type-imports': 'error',
			'typed/no-floating-promises': 'error',
			'typed/no-unnecessary-condition': 'error',
			'typed/no-unnecessary-type-assertion': 'error',
			'import-x/consistent-type-specifier-style': ['error', 'prefer-top-level'],
			'import-x/order': [
				'error',
				{
					groups: [
						['builtin', 'external'],
						['parent', 'sibling', 'index'],
					],
					'newlines-between': 'always',
					alphabetize: { order: 'asc', caseInsensitive: true },
				},
			],
		},
	},
);

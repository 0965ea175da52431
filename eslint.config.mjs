import { config as community } from '@n8n/node-cli/eslint';
import tseslint from 'typescript-eslint';

// What n8n users install obeys n8n's community rules with the cloud preset; the rest obeys the ordinary ones.
const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'];

export default tseslint.config(
	{
		ignores: [
			'dist',
			'node_modules',
			'lab/node_modules',
			'lab/.run',
			'lab/package.json',
			'test/e2e/artifacts',
			'sandbox/phone/**',
		],
	},
	{ files: shipped, extends: [community] },
	{
		files: ['**/*.ts'],
		ignores: shipped,
		extends: [tseslint.configs.recommended],
	},
	{
		files: ['**/*.{js,mjs}'],
		languageOptions: { sourceType: 'commonjs' },
	},
);

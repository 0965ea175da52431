import { config as community } from '@n8n/node-cli/eslint';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// What n8n users install obeys n8n's community rules with the cloud preset; the rest obeys the ordinary ones.
const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts'];

export default defineConfig(
	globalIgnores([
		'dist',
		'lab/node_modules',
		'lab/.run',
		'test/e2e/artifacts',
		'sandbox/phone/**/*.js',
	]),
	{ files: [...shipped, 'package.json'], extends: [community] },
	{ files: ['**/*.ts'], ignores: shipped, extends: [tseslint.configs.recommended] },
);

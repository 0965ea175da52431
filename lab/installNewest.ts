import { runNpm } from './command';
import { toOneLine } from './errors';
import { labFolder, rootFolder } from './paths';

/** n8n's linter and scanner of community packages. */
const TOOL_PACKAGES = ['@n8n/node-cli', '@n8n/scan-community-package'];

/** The parts of n8n that the tests import. Their versions must be those of the lab's n8n. */
const N8N_PACKAGES = ['n8n-core', 'n8n-workflow'];

// The lock files name no registry.
const NPM_FLAGS = ['--save-exact', '--omit-lockfile-registry-resolved', '--no-audit', '--no-fund'];

async function viewPackage(name: string, field: string): Promise<unknown> {
	const task = `Looking up ${name}`;
	return JSON.parse(await runNpm(['view', name, field, '--json'], { cwd: rootFolder, task }));
}

/**
 * Writes the newest n8n, linter and scanner that the registry has into both manifests and lock files, and prints the
 * versions. `requestedVersion` selects another version of n8n. The lab installs its n8n at the next start.
 */
async function installNewest(requestedVersion = 'latest'): Promise<void> {
	const n8n = `n8n@${String(await viewPackage(`n8n@${requestedVersion}`, 'version'))}`;
	const dependencies = (await viewPackage(n8n, 'dependencies')) as Record<string, string>;
	const parts = N8N_PACKAGES.map((name) => `${name}@${dependencies[name]}`);
	const tools = await Promise.all(
		TOOL_PACKAGES.map(async (name) => `${name}@${String(await viewPackage(name, 'version'))}`),
	);
	process.stdout.write(`${[n8n, ...parts, ...tools].join('\n')}\n`);
	await runNpm(['install', '--save-dev', ...NPM_FLAGS, ...parts, ...tools], {
		cwd: rootFolder,
		task: 'Installing the newest versions',
	});
	await runNpm(['install', '--package-lock-only', '--legacy-peer-deps', ...NPM_FLAGS, n8n], {
		cwd: labFolder,
		task: `Locking ${n8n}`,
	});
}

installNewest(process.argv[2]).catch((error: unknown) => {
	process.stderr.write(`${toOneLine(error)}\n`);
	process.exitCode = 1;
});

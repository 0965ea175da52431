import { npm } from './command';
import { oneLine } from './errors';
import { labFolder, rootFolder } from './paths';

/** n8n's linter and scanner of community packages. */
const TOOLS = ['@n8n/node-cli', '@n8n/scan-community-package'];

/** The parts of n8n that the tests import. They must be those of the lab's n8n. */
const PARTS = ['n8n-core', 'n8n-workflow'];

// The lock files name no registry.
const FLAGS = ['--save-exact', '--omit-lockfile-registry-resolved', '--no-audit', '--no-fund'];

async function view(name: string, field: string): Promise<unknown> {
	const task = `Looking up ${name}`;
	return JSON.parse(await npm(['view', name, field, '--json'], { cwd: rootFolder, task }));
}

/**
 * Writes the newest n8n, linter and scanner that the registry has into both manifests and lock files, and prints the versions.
 * `wanted` is another version of n8n. The lab installs its n8n at the next start.
 */
async function takeNewest(wanted = 'latest'): Promise<void> {
	const n8n = `n8n@${String(await view(`n8n@${wanted}`, 'version'))}`;
	const needed = (await view(n8n, 'dependencies')) as Record<string, string>;
	const parts = PARTS.map((name) => `${name}@${needed[name]}`);
	const tools = await Promise.all(
		TOOLS.map(async (name) => `${name}@${String(await view(name, 'version'))}`),
	);
	process.stdout.write(`${[n8n, ...parts, ...tools].join('\n')}\n`);
	await npm(['install', '--save-dev', ...FLAGS, ...parts, ...tools], {
		cwd: rootFolder,
		task: 'Installing the newest versions',
	});
	await npm(['install', '--package-lock-only', '--legacy-peer-deps', ...FLAGS, n8n], {
		cwd: labFolder,
		task: `Locking ${n8n}`,
	});
}

takeNewest(process.argv[2]).catch((error: unknown) => {
	process.stderr.write(`${oneLine(error)}\n`);
	process.exitCode = 1;
});

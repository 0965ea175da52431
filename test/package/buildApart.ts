import { execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const { EXAMPLE, singles } = jest.requireActual<{
	EXAMPLE: string;
	singles: Array<{ folder: string }>;
}>('../../scripts/singlePackages');
const { TEMPLATE } = jest.requireActual<{ TEMPLATE: string }>('../../scripts/packageReadme');

const project = join(__dirname, '../..');

/** Files that the build reads besides packages. */
const sources = [
	...['nodes', 'credentials', 'contracts', 'scripts', 'bin', 'gulpfile.js', 'index.js'],
	...['package.json', 'package-lock.json', 'README.md', 'LICENSE'],
	...['tsconfig.json', 'tsconfig.build.json'],
	...singles.flatMap(({ folder }) => [join(folder, EXAMPLE), join(folder, TEMPLATE)]),
];

/** Packages that are bundled. They are copied, since the build determines a file's package by its real path. */
const builtIn = ['jose'];

/** Builds the pack in a folder of its own, as a clean clone would, and leaves `dist` of the project alone. */
export function buildApart(): { root: string; remove: () => void } {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-build-')));
	for (const name of sources) cpSync(join(project, name), join(root, name), { recursive: true });
	leaveTypesUnchecked(join(root, 'tsconfig.build.json'));
	for (const name of packages()) {
		const [from, to] = [project, root].map((folder) => join(folder, 'node_modules', name)) as [
			string,
			string,
		];
		mkdirSync(dirname(to), { recursive: true });
		if (builtIn.includes(name)) cpSync(from, to, { recursive: true });
		else symlinkSync(from, to, 'junction');
	}
	const gulp = join(root, 'node_modules/gulp/bin/gulp.js');
	execFileSync(process.execPath, [gulp, 'build'], { cwd: root, stdio: 'pipe' });
	return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** `npm run typecheck` and every real build check the types; the output is the same without that. */
function leaveTypesUnchecked(file: string): void {
	const config = JSON.parse(readFileSync(file, 'utf8')) as { compilerOptions: object };
	config.compilerOptions = { ...config.compilerOptions, noCheck: true };
	writeFileSync(file, JSON.stringify(config));
}

/** Everything in node_modules, scoped packages one by one. */
function packages(): string[] {
	const folder = join(project, 'node_modules');
	return readdirSync(folder).flatMap((name) =>
		name.startsWith('@')
			? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`)
			: [name],
	);
}

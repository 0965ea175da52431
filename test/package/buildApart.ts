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
const SOURCES = [
	...['nodes', 'credentials', 'contracts', 'scripts', 'bin', 'gulpfile.js', 'index.js'],
	...['package.json', 'package-lock.json', 'README.md', 'LICENSE'],
	...['tsconfig.json', 'tsconfig.build.json'],
	...singles.flatMap(({ folder }) => [join(folder, EXAMPLE), join(folder, TEMPLATE)]),
];

/** Packages that are bundled. They are copied, since the build determines a file's package by its real path. */
const BUNDLED_PACKAGES = ['jose'];

/** Builds the pack in a temporary folder, as in a clean clone. The project's `dist` is not changed. */
export function buildApart(): { root: string; remove: () => void } {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-build-')));
	for (const name of SOURCES) cpSync(join(project, name), join(root, name), { recursive: true });
	disableTypeCheck(join(root, 'tsconfig.build.json'));
	for (const name of listPackages()) {
		const [source, target] = [project, root].map((folder) =>
			join(folder, 'node_modules', name),
		) as [string, string];
		mkdirSync(dirname(target), { recursive: true });
		if (BUNDLED_PACKAGES.includes(name)) cpSync(source, target, { recursive: true });
		else symlinkSync(source, target, 'junction');
	}
	const gulp = join(root, 'node_modules/gulp/bin/gulp.js');
	execFileSync(process.execPath, [gulp, 'build'], { cwd: root, stdio: 'pipe' });
	return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Turns the type check off, which takes time and does not change the output. `npm run typecheck` and every real build check types. */
function disableTypeCheck(file: string): void {
	const config = JSON.parse(readFileSync(file, 'utf8')) as { compilerOptions: object };
	config.compilerOptions = { ...config.compilerOptions, noCheck: true };
	writeFileSync(file, JSON.stringify(config));
}

/** Lists all packages in node_modules, with scoped packages as `@scope/name`. */
function listPackages(): string[] {
	const folder = join(project, 'node_modules');
	return readdirSync(folder).flatMap((name) =>
		name.startsWith('@')
			? readdirSync(join(folder, name)).map((scopedName) => `${name}/${scopedName}`)
			: [name],
	);
}

// Protects a release: each package is published once, with provenance and a changelog, and no other step gets the npm token.
import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

import pack from '../../package.json';

const { findChangelogProblem } = jest.requireActual<{
	findChangelogProblem: (text: string, version: string) => string | undefined;
}>('../../scripts/checkChangelog');
const { singles } = jest.requireActual<{ singles: Array<{ name: string; folder: string }> }>(
	'../../scripts/singlePackages',
);

const root = join(__dirname, '../..');
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

interface Step {
	name?: string;
	run?: string;
	env?: Record<string, string>;
}
const { permissions, jobs } = parse(
	readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'),
) as { permissions: Record<string, string>; jobs: { publish: { steps: Step[] } } };
const { steps } = jobs.publish;
const publishStep = steps.find(({ name }) => name === 'Publish')!;

describe('the check of the changelog', () => {
	it('passes for the version of the pack', () => {
		expect(findChangelogProblem(changelog, pack.version)).toBeUndefined();
	});

	it.each([
		['without the version', '## Unreleased\n\n- A change\n'],
		['with the version in the text alone', '## 1.2.2 (2026-01-01)\n\nNext is 1.2.3 (2026-01-02)\n'],
		['with a longer version', '## 1.2.30 (2026-01-01)\n\n- A change\n'],
		['with a heading that only resembles the version', '## 1x2x3 (2026-01-01)\n\n- A change\n'],
		['with the version, and nothing below it', '## 1.2.3 (2026-01-01)\n\n## 1.2.2 (2026-01-01)\n'],
	])('fails for a changelog %s', (_, text) => {
		expect(findChangelogProblem(text, '1.2.3')).toBe(
			'CHANGELOG.md says nothing under a heading "## 1.2.3 (date)"',
		);
	});

	it('passes for a changelog with the version and its changes', () => {
		const text = '# Changelog\n\n## Unreleased\n\n## 1.2.3 (2026-01-01)\n\n- A change\n';
		expect(findChangelogProblem(text, '1.2.3')).toBeUndefined();
	});

	it('stops the dry run of a release', () => {
		const folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-test-'));
		try {
			writeFileSync(join(folder, 'CHANGELOG.md'), '## Unreleased\n');
			writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '9.9.9' }));
			const script = join(root, 'scripts/release.js');
			const { status, stderr } = spawnSync(process.execPath, [script, '--root', folder], {
				encoding: 'utf8',
			});
			expect(stderr).toContain('"## 9.9.9 (date)"');
			expect(status).toBe(1);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});

describe('the release workflow', () => {
	it('has permission to get an OIDC token, and only to read the repository', () => {
		expect(permissions).toEqual({ actions: 'read', contents: 'read', 'id-token': 'write' });
	});

	it('creates and checks the tarballs before it publishes them', () => {
		const commands = steps.map(({ run = '' }) => run);
		const commandOrder = [
			'npm run release:dry -- --out "$RUNNER_TEMP/release"',
			'node scripts/checkPackages.js',
		];
		const positions = [
			...commandOrder.map((run) => commands.indexOf(run)),
			steps.indexOf(publishStep),
		];
		expect(positions).not.toContain(-1);
		expect([...positions].sort((a, b) => a - b)).toEqual(positions);
	});

	it('passes the npm token only to the step that publishes', () => {
		expect(publishStep.env).toEqual({ NPM_TOKEN: '${{ secrets.NPM_TOKEN }}' });
		const otherSteps = steps.filter((step) => step !== publishStep);
		expect(JSON.stringify(otherSteps)).not.toContain('NPM_TOKEN');
	});
});

/** A program in place of npm. It records each call, reports the versions in `PUBLISHED` as published, and fails for `BROKEN`. */
const FAKE_NPM = `#!/usr/bin/env node
const { appendFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(process.env.CALLS, JSON.stringify(args) + '\\n');
if (args.join(' ') === 'config get registry') console.log('https://packages.example/npm/');
if (args[0] === 'view') {
	const isPublished = process.env.PUBLISHED.split(',').includes(args[1]);
	if (isPublished) console.log('1.2.3'); else process.exitCode = 1;
}
if (args[0] === 'publish' && args[1].includes(process.env.BROKEN)) process.exitCode = 1;
`;

describe('the step that publishes', () => {
	const names = [pack.name, ...singles.map(({ name }) => name)];
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'gatehouse-publish-step-'));
		writeFileSync(join(folder, 'npm'), FAKE_NPM);
		chmodSync(join(folder, 'npm'), 0o755);
		for (const packageFolder of ['.', ...singles.map((single) => single.folder)]) {
			mkdirSync(join(folder, packageFolder), { recursive: true });
			const name = packageFolder === '.' ? pack.name : packageFolder.split('/')[1];
			writeFileSync(join(folder, packageFolder, 'package.json'), JSON.stringify({ name }));
		}
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	/** Runs the step as GitHub does, and returns its exit code and the calls of npm. */
	function runStep(environment: { NPM_TOKEN?: string; PUBLISHED?: string; BROKEN?: string }) {
		const calls = join(folder, 'calls');
		writeFileSync(calls, '');
		const { status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', publishStep.run!], {
			cwd: folder,
			env: {
				PATH: `${folder}:${process.env.PATH}`,
				CALLS: calls,
				RUNNER_TEMP: '/runner',
				GITHUB_REF_NAME: 'v1.2.3',
				...{ NPM_TOKEN: '', PUBLISHED: '', BROKEN: 'none', ...environment },
			},
		});
		const lines = readFileSync(calls, 'utf8').trim().split('\n');
		return { status, calls: lines.map((line) => JSON.parse(line) as string[]) };
	}
	const findPublishCalls = (calls: string[][]) =>
		calls.filter(([command]) => command === 'publish');
	const getTarball = (name: string) => `/runner/release/${name}-1.2.3.tgz`;

	it('publishes the five tarballs with provenance', () => {
		const { status, calls } = runStep({});
		expect(status).toBe(0);
		const flags = ['--provenance', '--access', 'public'];
		expect(findPublishCalls(calls).sort()).toEqual(
			names.map((name) => ['publish', getTarball(name), ...flags]).sort(),
		);
	});

	it('configures a token for the registry of npm by its variable, not by its value', () => {
		const { calls } = runStep({ NPM_TOKEN: 'secret' });
		expect(calls.filter(([, verb]) => verb === 'set')).toEqual([
			['config', 'set', '//packages.example/npm/:_authToken', '${NPM_TOKEN}'],
		]);
		expect(findPublishCalls(calls)).toHaveLength(5);
	});

	it('configures no token if there is none, so that npm uses trusted publishing', () => {
		expect(runStep({}).calls.filter(([, verb]) => verb === 'set')).toEqual([]);
	});

	it('skips packages that an earlier attempt has published', () => {
		const { status, calls } = runStep({ PUBLISHED: `${names[0]}@1.2.3,${names[2]}@1.2.3` });
		expect(status).toBe(0);
		const unpublished = [names[1]!, names[3]!, names[4]!];
		expect(
			findPublishCalls(calls)
				.map(([, file]) => file)
				.sort(),
		).toEqual(unpublished.map(getTarball).sort());
	});

	it('fails if npm fails', () => {
		expect(runStep({ BROKEN: names[3]! }).status).not.toBe(0);
	});
});

it('no file that a release uses names the host of a registry', () => {
	const listFilesBelow = (folder: string) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.map((name) => join(folder, name))
			.filter((file) => statSync(join(root, file)).isFile());
	const files = [
		...['.npmrc', 'package.json', 'README.md', 'CONTRIBUTING.md'],
		...[...listFilesBelow('.github/workflows'), ...listFilesBelow('scripts')],
		...listFilesBelow('docs').filter((file) => file.endsWith('.md')),
		...singles.map(({ folder }) => join(folder, 'package.json')),
	];
	const filesWithHost = files.filter((file) =>
		/\bregistry\.(npmjs|yarnpkg)\b/.test(readFileSync(join(root, file), 'utf8')),
	);
	expect(filesWithHost).toEqual([]);
});

// Mutated files and state of a mutation run, shared by its parts, which all run in one process.
const { readFileSync, readdirSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');

const selectQuick = require('../support/jest/quick');
const { mutate } = require('./mutants');

const root = resolve(__dirname, '../..');

/** Filter of the mutated files: `MUTATE=watchState,jwt` selects those whose names contain one of these. */
const nameParts = (process.env.MUTATE ?? '').split(',');

/** Names of the files in a folder and its subfolders, relative to `nodes`. */
const filesIn = (folder) =>
	readdirSync(join(root, 'nodes', folder), { withFileTypes: true }).flatMap((entry) =>
		entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
	);

/** Files that only declare the editor's panel: `test/surface` and `test/tables` compare what they declare. */
const DECLARATIONS = /\/(description|properties)\.ts$/;

const SYNC = 'EventRegistration/contact/sync';

/** The part of _Contact: Sync_ that sends nothing, which the simulator's fast layer drives. */
const syncPlanFiles = ['changeLimits', 'digest', 'isSameValue', 'plan'].map(
	(name) => `${SYNC}/${name}.ts`,
);

/**
 * Mutated files, relative to `nodes`, with the folders of `test` whose tests have to kill the mutants, and the percentage that
 * they kill at least. A group's score depends on its own tests only, so that it is the same whatever else runs. Below 90, the
 * percentage is the last measured one, so that a group does not get worse; 0 stands for a group that has not been measured.
 * Mutants that were not run count against a group, so the percentages of `http/client`, `run` and `contact/sync, the run` are
 * lower bounds.
 */
const groups = [
	{
		name: 'pure code: no request, no timer, no file access',
		files: [
			...['backoff', 'path', 'pages', 'records'].map((name) => `engine/http/${name}.ts`),
			...['jwt', 'keyKinds'].map((name) => `engine/token/${name}.ts`),
			'engine/retryDelay.ts',
			'engine/trigger/common/rejections.ts',
			...['texts', 'convert', 'dates'].map((name) => `engine/values/${name}.ts`),
			...['quorum', 'trigger/lists/core', 'watch'].flatMap((layer) => filesIn(`engine/${layer}`)),
		],
		quickTests: ['engine'],
		tests: ['simulation/fastLayer'],
		minPercent: 90,
	},
	{
		name: 'submit',
		files: filesIn('engine/submit'),
		tests: ['engine/submit', 'engine/trigger/ids/selectableTriggers'],
		minPercent: 91,
	},
	{
		name: 'wait',
		files: filesIn('engine/wait'),
		tests: ['engine/wait', 'engine/park/rejectedCredential', 'nodes/TwoFactor/sendAndWait'],
		minPercent: 78,
	},
	{
		name: 'http/client',
		files: ['engine/http/client.ts'],
		tests: [
			...['requests', 'responses', 'exchange', 'uncertainWrites', 'pauses'].map(
				(name) => `engine/http/${name}.`,
			),
			'engine/http/limitedService.',
			'engine/http/rateLimitedExecutions.',
			'engine/run/stoppedRun.',
			'engine/run/trace.',
			'hostile/certificates.',
			'hostile/encodedSecrets.',
		],
		minPercent: 59,
	},
	{
		name: 'contact/sync, the plan',
		files: syncPlanFiles,
		quickTests: ['nodes/EventRegistration/sync'],
		tests: ['simulation/fastLayer'],
		minPercent: 90,
	},
	{
		name: 'contact/sync, the run',
		files: filesIn(SYNC).filter((file) => !syncPlanFiles.includes(file)),
		tests: ['nodes/EventRegistration/sync', 'simulation/fastLayer'],
		minPercent: 61,
	},
	{
		name: 'run',
		files: filesIn('engine/run'),
		tests: ['engine/run'],
		minPercent: 64,
	},
	{
		name: 'trigger/ids',
		files: filesIn('engine/trigger/ids'),
		tests: ['engine/trigger/ids', 'engine/trigger/common'],
		minPercent: 0,
	},
	{
		name: 'trigger/common',
		files: filesIn('engine/trigger/common').filter((file) => !file.endsWith('/rejections.ts')),
		tests: ['engine/trigger/common', 'engine/trigger/ids/storedIds'],
		minPercent: 0,
	},
	{
		name: 'trigger/lists',
		files: filesIn('engine/trigger/lists').filter((file) => !file.includes('/core/')),
		tests: ['engine/trigger/common', 'engine/trigger/lists', 'nodes/EventData/eventData'],
		minPercent: 0,
	},
	{ name: 'park', files: filesIn('engine/park'), tests: ['engine/park'], minPercent: 0 },
];

/** All mutants, indexed by their number, and the generated copies by path. */
const mutants = [];
const copies = new Map();

for (const group of groups) {
	group.files = group.files
		.filter((name) => !DECLARATIONS.test(name))
		.filter((name) => nameParts.some((namePart) => name.includes(namePart)));
	for (const file of group.files) {
		const path = join(root, 'nodes', file);
		const mutated = mutate(path, readFileSync(path, 'utf8'), mutants.length);
		mutants.push(...mutated.mutants.map((mutant) => ({ ...mutant, file, group })));
		copies.set(path, mutated.copy);
	}
}

/**
 * Jest's filter: the test files of the groups that have mutants. Pure code has enough tests that load no engine and open no
 * server; in the other groups nearly all tests run nodes on n8n's engine, which is loaded once for the whole run.
 */
function selectTests(paths) {
	const quickPaths = new Set(selectQuick(paths).filtered);
	for (const group of groups) {
		const isOfGroup = (path) => {
			const name = relative(join(root, 'test'), path);
			const { tests, quickTests = [] } = group;
			const starts = quickPaths.has(path) ? [...tests, ...quickTests] : tests;
			return starts.some((start) => name.startsWith(start));
		};
		group.testPaths = new Set(group.files.length > 0 ? paths.filter(isOfGroup) : []);
	}
	return { filtered: paths.filter((path) => groups.some(({ testPaths }) => testPaths.has(path))) };
}

/** CPU time of all tests that are run with one mutant; after that it counts as not run. */
const MAX_MUTANT_CPU_MS = 8000;

/** Time limit of the run; mutants left over count as not run. */
const MAX_MINUTES = Number(process.env.MUTATION_MINUTES ?? 240);

/** Stands for a test while its file is loaded. */
const LOADING = Symbol('loading');

const runState = {
	/** Number of the active mutant, and of the only mutant of a file that is loaded for it alone. */
	mutant: undefined,
	isolatedMutant: undefined,
	/** The environment of the current test file. */
	environment: undefined,
	/** The current test; `LOADING` while its file is loaded, `undefined` in a hook around all tests and between tests. */
	test: undefined,
	/** Whether a test has failed. */
	failed: false,
	/** The tests that reach each mutant, by its number. Defined only while they are recorded. */
	reached: undefined,
	/** The CPU times of the tests that this pass runs with mutants. */
	minTestMs: 0,
	maxTestMs: 0,
	/** Whether the files run without mutants, to measure how long each takes. */
	isMeasuring: false,
	/** Number of switches evaluated, and the CPU time of this process after which evaluating one throws. */
	switchCount: 0,
	cpuDeadlineMs: Infinity,
	/** CPU time of the tests without mutants, by name, and of this process when the current test began. */
	testMs: new Map(),
	testBeginMs: 0,
	/** Mutants that left state behind; they are run again in freshly loaded modules. */
	leaking: [],
	until: Date.now() + MAX_MINUTES * 60_000,
};

/** Whether tests are still run with a mutant: it lives, and has not used up its CPU time. */
const mayRun = (mutant) => !mutant.killed && hasTime(mutant);

const hasTime = ({ spentMs = 0 }) => spentMs < MAX_MUTANT_CPU_MS && Date.now() < runState.until;

/** CPU time of this process in milliseconds, which does not depend on the machine's load. */
function cpuTimeMs() {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** Whether a mutant is active. The generated copies call it at every mutated place. */
function reach(number) {
	if (runState.reached) {
		if (!runState.reached.has(number)) runState.reached.set(number, new Set());
		runState.reached.get(number).add(runState.test);
	}
	// An endless loop blocks all timers, so the limit is checked here.
	if (++runState.switchCount % 1000 === 0 && cpuTimeMs() > runState.cpuDeadlineMs)
		throw new Error('The mutant runs without end');
	return number === runState.mutant;
}

globalThis[Symbol.for('mutation')] = { reach };

module.exports = {
	LOADING,
	cpuTimeMs,
	copies,
	hasTime,
	mayRun,
	mutants,
	runState,
	selectTests,
};

// Mutated files and state of a mutation run, shared by its parts, which all run in one process.
const { readFileSync, readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');

const { mutate } = require('./mutants');

const engine = resolve(__dirname, '../../nodes/engine');

/** Filter of the mutated files: `MUTATE=watchState,jwt` selects those whose names contain one of these. */
const nameParts = (process.env.MUTATE ?? '').split(',');

/** Pure code: no request, no timer, no file access. */
const files = [
	...['backoff', 'path', 'pages', 'records'].map((name) => `http/${name}.ts`),
	...['jwt', 'keyKinds'].map((name) => `token/${name}.ts`),
	'retryDelay.ts',
	'trigger/common/rejections.ts',
	...['texts', 'convert', 'dates'].map((name) => `values/${name}.ts`),
	...['quorum', 'trigger/lists/core', 'watch'].flatMap((layer) =>
		readdirSync(join(engine, layer)).map((name) => `${layer}/${name}`),
	),
].filter((name) => nameParts.some((namePart) => name.includes(namePart)));

/** All mutants, indexed by their number, and the generated copies by path. */
const mutants = [];
const copies = new Map();

for (const file of files) {
	const path = join(engine, file);
	const mutated = mutate(path, readFileSync(path, 'utf8'), mutants.length);
	mutants.push(...mutated.mutants.map((mutant) => ({ ...mutant, file })));
	copies.set(path, mutated.copy);
}

/** CPU time of all tests that are run with one mutant; after that it has survived. */
const MAX_MUTANT_CPU_MS = 8000;

/** Time limit of the run; mutants left over count as not run. */
const MAX_MINUTES = Number(process.env.MUTATION_MINUTES ?? 90);

const runState = {
	/** Number of the active mutant, and of the only mutant of a file that is loaded for it alone. */
	mutant: undefined,
	isolatedMutant: undefined,
	/** The environment of the current test file. */
	environment: undefined,
	/** The current test; undefined while its file is loaded. */
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
const mayRun = ({ killed, spentMs = 0 }) =>
	!killed && spentMs < MAX_MUTANT_CPU_MS && Date.now() < runState.until;

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

module.exports = { cpuTimeMs, copies, mayRun, mutants, runState };

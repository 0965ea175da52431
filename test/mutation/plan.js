// What is mutated, and which mutant is running: shared by the parts of a run, which are all in one process.
const { readFileSync, readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');

const { mutate } = require('./mutants');

const engine = resolve(__dirname, '../../nodes/engine');

/** Which files to mutate: `MUTATE=ids/core/state,jwt` picks those that have one of these in their names. */
const picked = (process.env.MUTATE ?? '').split(',');

/** Pure code: no request, no timer, no file. */
const files = [
	...['backoff', 'path', 'pages', 'records'].map((name) => `http/${name}.ts`),
	...['jwt', 'keyKinds'].map((name) => `token/${name}.ts`),
	'trigger/common/rejections.ts',
	...['texts', 'convert', 'dates'].map((name) => `values/${name}.ts`),
	...['trigger/common/core', 'trigger/lists/core', 'trigger/ids/core'].flatMap((room) =>
		readdirSync(join(engine, room)).map((name) => `${room}/${name}`),
	),
].filter((name) => picked.some((part) => name.includes(part)));

/** All mutants, each at the place of its number, and the copies of the files by path. */
const mutants = [];
const copies = new Map();

for (const file of files) {
	const path = join(engine, file);
	const made = mutate(path, readFileSync(path, 'utf8'), mutants.length);
	mutants.push(...made.mutants.map((mutant) => ({ ...mutant, file })));
	copies.set(path, made.copy);
}

/** How long all of it may take; what is left then counts as not run. */
const MOST_MINUTES = Number(process.env.MUTATION_MINUTES ?? 30);

const now = {
	/** The number of the mutant that runs, and of the only one to run in a file that is loaded for it alone. */
	mutant: undefined,
	only: undefined,
	/** The environment of the file that runs. */
	environment: undefined,
	/** The test that runs; none while its file is loaded. */
	test: undefined,
	/** Whether one has failed. */
	failed: false,
	/** While it is found out which tests come by which mutants: those tests by the number of the mutant. */
	reached: undefined,
	/** Called when that is known. */
	looked: () => undefined,
	/** How many switches were passed; and until when they may be, in the time that the processor has worked for this process. */
	passed: 0,
	busyUntil: Infinity,
	/** The names of tests that take too long to be run again. */
	long: new Set(),
	/** Mutants that left something behind, and are to be tried in modules of their own. */
	spoiled: [],
	until: Date.now() + MOST_MINUTES * 60_000,
};

/** For how long the processor has worked, in milliseconds, which others on the machine do not make longer. */
function busyFor() {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** Whether a mutant is the one to run; the copies ask wherever one may be. */
function reach(number) {
	if (now.reached) {
		if (!now.reached.has(number)) now.reached.set(number, new Set());
		now.reached.get(number).add(now.test);
	}
	// A loop without an end lets no timer run.
	if (++now.passed % 1000 === 0 && busyFor() > now.busyUntil) throw new Error('No end of it');
	return number === now.mutant;
}

globalThis[Symbol.for('mutation')] = { reach };

module.exports = { busyFor, copies, mutants, now };

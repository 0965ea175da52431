const SharedRealm = require('../support/jest/environment');
const { LOADING, cpuTimeMs, mayRun, mutants, runState } = require('./plan');

/** Time limit of a test with a mutant, in addition to three times its duration without one. */
const MIN_TIME_LIMIT_MS = 1000;

/** Time limit of one hook, such as the end of a server whose responses the mutant has stopped. */
const HOOK_TIME_LIMIT_MS = 2000;

const { clearTimeout, setImmediate, setTimeout } = globalThis;

/** Clocks that a test in virtual time replaces. One that is given up cannot put them back. */
const { Date, clearInterval, performance, setInterval } = globalThis;
const realClocks = { Date, clearInterval, clearTimeout, performance, setInterval, setTimeout };

const fullNameOf = ({ name, parent }) => (parent ? `${fullNameOf(parent)} ${name}` : name);

/** Returns the hooks of one kind of a block and all blocks in it, outermost first. */
const hooksIn = (kind, block) => [
	...block.hooks.filter(({ type }) => type === kind),
	...block.children
		.filter(({ type }) => type === 'describeBlock')
		.flatMap((child) => hooksIn(kind, child)),
];

/** Returns the hooks of one kind that apply to a test, outermost first. */
const listHooks = (kind, block) =>
	block
		? [...listHooks(kind, block.parent), ...block.hooks.filter(({ type }) => type === kind)]
		: [];

/**
 * Records which tests of a file reach which mutants while Jest runs them, then reruns those tests with each surviving mutant
 * until one fails. A mutant that takes effect while modules are loaded is left to the runner, which loads them again
 * (`runState.isolatedMutant`): then Jest runs the file up to the first failing test.
 */
module.exports = class extends SharedRealm {
	constructor(config, context) {
		super(config, context);
		this.testPath = context.testPath;
		runState.environment = this;
		runState.test = LOADING;
	}

	async handleTestEvent({ name, test }, state) {
		// In a shared realm Jest still sends events to the environments of earlier files.
		if (runState.environment !== this) return;
		if (name === 'run_start') runState.test = undefined;
		if (name === 'test_start') {
			runState.test = test;
			runState.testBeginMs = cpuTimeMs();
			if (
				runState.failed ||
				(runState.isolatedMutant !== undefined &&
					runState.testMs.get(fullNameOf(test)) >= runState.maxTestMs)
			)
				test.mode = 'skip';
		}
		if (name === 'test_done') {
			runState.test = undefined;
			runState.failed ||= test.errors.length > 0;
			// By name: each pass measures anew, and a test must belong to the same pass each time.
			const name = fullNameOf(test);
			if (!runState.testMs.has(name)) runState.testMs.set(name, cpuTimeMs() - runState.testBeginMs);
		}
		const mayMutate =
			runState.isolatedMutant === undefined && !runState.isMeasuring && !runState.failed;
		if (name === 'run_finish' && mayMutate) {
			await this.withStrayErrorsCaught(async () => await this.mutate(state.rootDescribeBlock));
		}
	}

	/**
	 * Lets an uncaught exception or an unhandled rejection caused by a mutant fail the current test instead of the whole file.
	 */
	async withStrayErrorsCaught(work) {
		const events = ['uncaughtException', 'unhandledRejection'];
		const listenersBefore = events.map((event) => process.listeners(event));
		const onStrayError = (error) => this.onStrayError?.(error);
		for (const event of events) process.removeAllListeners(event).on(event, onStrayError);
		await work();
		for (const [index, event] of events.entries()) {
			process.removeListener(event, onStrayError);
			for (const listener of listenersBefore[index]) process.on(event, listener);
		}
	}

	async mutate(rootBlock) {
		this.rootBlock = rootBlock;
		const { reached } = runState;
		runState.reached = undefined;
		const allTests = [...new Set([...reached.values()].flatMap((tests) => [...tests]))].filter(
			(test) => test !== undefined && test !== LOADING,
		);
		for (const mutant of mutants) {
			const tests = reached.get(mutant.number);
			if (!tests || mutant.killed || !mutant.group.testPaths.has(this.testPath)) continue;
			mutant.reached = true;
			mutant.isReachedOnLoad ||= tests.has(LOADING);
			if (tests.has(LOADING)) continue;
			if (!mayRun(mutant)) continue;
			// What a hook around all tests reaches may fail any of them.
			const timedTests = [...(tests.has(undefined) ? allTests : tests)].map((test) => ({
				test,
				ms: runState.testMs.get(fullNameOf(test)),
			}));
			const fastestFirst = timedTests
				.filter(({ ms }) => ms >= runState.minTestMs && ms < runState.maxTestMs)
				.sort((a, b) => a.ms - b.ms)
				.map(({ test }) => test);
			if (fastestFirst.length === 0) continue;
			const beginMs = cpuTimeMs();
			const failingTest = await this.findFirstFailing(fastestFirst, mutant.number);
			mutant.spentMs = (mutant.spentMs ?? 0) + cpuTimeMs() - beginMs;
			// If the test then fails without a mutant too, earlier state is to blame: the mutant is tried again in fresh modules.
			if (failingTest && (await this.findFirstFailing([failingTest])))
				runState.leaking.push(mutant);
			else mutant.killed = failingTest !== undefined;
		}
	}

	/** Runs tests between the hooks around all tests of the file, which open servers and replace clocks. */
	async findFirstFailing(tests, mutant) {
		const activate = (timeLimitMs) =>
			Object.assign(runState, { mutant, cpuDeadlineMs: cpuTimeMs() + timeLimitMs });
		activate(HOOK_TIME_LIMIT_MS);
		try {
			await this.runHooks(hooksIn('beforeAll', this.rootBlock));
			for (const test of tests) {
				const timeLimitMs = MIN_TIME_LIMIT_MS + 3 * test.duration;
				activate(timeLimitMs);
				if (await this.fails(test, timeLimitMs)) return test;
			}
			return undefined;
		} catch {
			// A hook fails with the mutant.
			return tests[0];
		} finally {
			// Work that the test has started may continue, but not without a limit.
			Object.assign(runState, {
				mutant: undefined,
				cpuDeadlineMs: cpuTimeMs() + HOOK_TIME_LIMIT_MS,
			});
			await this.runHooks(hooksIn('afterAll', this.rootBlock).reverse()).catch(() => undefined);
			await new Promise((resolve) => setImmediate(resolve));
			this.fakeTimersModern.useRealTimers();
			Object.assign(globalThis, realClocks);
			this.moduleMocker.restoreAllMocks();
		}
	}

	/** Runs hooks one after the other, and each even if an earlier one fails. Rejects if one fails or takes too long. */
	async runHooks(hooks) {
		const failures = [];
		for (const { fn } of hooks) {
			await this.withinTime(async () => await fn(), HOOK_TIME_LIMIT_MS).catch((error) =>
				failures.push(error),
			);
		}
		if (failures.length > 0) throw failures[0];
	}

	/** Rejects if the work fails, an error of it is not caught anywhere, or it takes longer. */
	async withinTime(work, timeLimitMs) {
		let timer;
		const timeout = new Promise((_, reject) => {
			this.onStrayError = reject;
			timer = setTimeout(() => reject(new Error('late')), timeLimitMs);
		});
		try {
			await Promise.race([work(), timeout]);
		} finally {
			clearTimeout(timer);
		}
	}

	/** Whether a test fails, or a hook around it. */
	async fails(test, timeLimitMs) {
		try {
			await this.withinTime(async () => {
				for (const { fn } of listHooks('beforeEach', test.parent)) await fn();
				await test.fn();
				await new Promise((resolve) => setImmediate(resolve));
			}, timeLimitMs);
			return false;
		} catch {
			return true;
		} finally {
			await this.runHooks(listHooks('afterEach', test.parent).reverse());
		}
	}
};

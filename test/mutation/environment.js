const SharedRealm = require('../support/jest/environment');
const { cpuTimeMs, mayRun, mutants, runState } = require('./plan');

/** Time limit of a test with a mutant, in addition to three times its duration without one. */
const MIN_TIME_LIMIT_MS = 1000;

const { clearTimeout, setImmediate, setTimeout } = globalThis;

const fullNameOf = ({ name, parent }) => (parent ? `${fullNameOf(parent)} ${name}` : name);

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
	constructor(...args) {
		super(...args);
		runState.environment = this;
	}

	async handleTestEvent({ name, test }) {
		// In a shared realm Jest still sends events to the environments of earlier files.
		if (runState.environment !== this) return;
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
			await this.withStrayErrorsCaught(async () => await this.mutate());
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

	async mutate() {
		const { reached } = runState;
		runState.reached = undefined;
		for (const mutant of mutants) {
			const tests = reached.get(mutant.number);
			if (!tests || mutant.killed) continue;
			mutant.reached = true;
			mutant.isReachedOnLoad ||= tests.has(undefined);
			if (tests.has(undefined)) continue;
			if (!mayRun(mutant)) continue;
			const timedTests = [...tests].map((test) => ({
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

	async findFirstFailing(tests, mutant) {
		for (const test of tests) {
			const timeLimitMs = MIN_TIME_LIMIT_MS + 3 * test.duration;
			Object.assign(runState, { mutant, cpuDeadlineMs: cpuTimeMs() + timeLimitMs });
			const fails = await this.fails(test, timeLimitMs);
			// Work that the test has started may continue, but not without a limit.
			Object.assign(runState, {
				mutant: undefined,
				cpuDeadlineMs: cpuTimeMs() + MIN_TIME_LIMIT_MS,
			});
			await new Promise((resolve) => setImmediate(resolve));
			this.fakeTimersModern.useRealTimers();
			this.moduleMocker.restoreAllMocks();
			if (fails) return test;
		}
		return undefined;
	}

	async fails(test, timeLimitMs) {
		let timer;
		const timeout = new Promise((_, reject) => {
			this.onStrayError = reject;
			timer = setTimeout(() => reject(new Error('late')), timeLimitMs);
		});
		const run = async () => {
			for (const { fn } of listHooks('beforeEach', test.parent)) await fn();
			await test.fn();
			await new Promise((resolve) => setImmediate(resolve));
		};
		try {
			await Promise.race([run(), timeout]);
			return false;
		} catch {
			return true;
		} finally {
			clearTimeout(timer);
			for (const { fn } of listHooks('afterEach', test.parent).reverse()) await fn();
		}
	}
};

const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const { globals, packages } = require('./modules');

/**
 * Property of n8n-workflow's `sleep` in which the pack keeps what it shares in a process (nodes/engine/n8n/perProcess.ts).
 */
const PER_PROCESS = Symbol.for('n8n-nodes-gatehouse');

/** The agent of Node.js's `fetch`, with the connections that it keeps open. */
const FETCH_AGENT = Symbol.for('undici.globalDispatcher.1');

/**
 * Closes the connections of `fetch`. They have timers. If a later file replaced `clearTimeout` while one of them closed, the timer
 * would fire after its connection is gone, and Node.js 20 would throw (undici, pull request 4758).
 */
async function closeFetchConnections() {
	const agent = globalThis[FETCH_AGENT];
	if (agent === undefined) return;
	globalThis[FETCH_AGENT] = new agent.constructor();
	await agent.destroy();
}

/**
 * Ends a worker as soon as nothing is open. Node.js would free the worker's memory first. With more than a gigabyte that
 * took longer than the 500 ms after which Jest 30 reports an open handle. A handle that is really open still keeps the
 * worker running.
 */
if (process.env.JEST_WORKER_ID && process.send) {
	process.once('exit', (code) => process.reallyExit(code));
}

/**
 * The environment of test files. All files run in the worker's own realm instead of a new one each. Third-party code (n8n's
 * engine takes seconds to load) is therefore loaded once per worker, and recognizes objects that the tests create. Each file
 * still loads our own modules anew, and finds globals and environment variables as the first file did.
 */
module.exports = class SharedRealm {
	global = globalThis;

	/** Makes runtime.js share modules. */
	sharesModules = true;

	/** Jest's older timers, which nothing here uses. */
	fakeTimers = null;

	constructor({ projectConfig }) {
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
		this.globals = Object.getOwnPropertyDescriptors(globalThis);
		this.symbols = new Set(Object.getOwnPropertySymbols(globalThis));
		this.env = { ...process.env };
		this.exit = process.exit;
		const workflowPackage = packages.get('n8n-workflow');
		if (workflowPackage) delete workflowPackage.sleep[PER_PROCESS];
	}

	async setup() {}

	async teardown() {
		this.fakeTimersModern.dispose();
		await closeFetchConnections();
		process.exit = this.exit;
		for (const name of Object.keys(process.env)) if (!(name in this.env)) delete process.env[name];
		Object.assign(process.env, this.env);
		for (const name of Object.getOwnPropertyNames(globalThis)) {
			const isKnown = Object.hasOwn(this.globals, name) || globals.has(name);
			if (!isKnown) delete globalThis[name];
		}
		// Jest keeps its event handlers under such symbols. The next file needs its own handlers, or its stray failures go
		// unreported.
		for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
			if (!this.symbols.has(symbol)) Reflect.deleteProperty(globalThis, symbol);
		}
		for (const [name, before] of Object.entries(this.globals)) {
			const now = Object.getOwnPropertyDescriptor(globalThis, name);
			const isUnchanged = now?.value === before.value && now?.get === before.get;
			if (!isUnchanged && before.configurable) Object.defineProperty(globalThis, name, before);
		}
		const addedProperties = Object.keys(Object.prototype);
		if (addedProperties.length > 0)
			throw new Error(`A test file has added to Object.prototype: ${addedProperties}`);
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	/** Jest only checks whether there is a context: runtime.js compiles in its own realm. */
	getVmContext() {
		return globalThis;
	}
};

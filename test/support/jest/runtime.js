const asyncHooks = require('node:async_hooks');
const { statSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const { compileFunction, constants } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const { loadPackage } = require('./modules');

/** Our own modules whose only state is slow to create: contracts as they were read and compiled, and keys. */
const slowModules = [
	'sandbox/contract.ts',
	'sandbox/demoIdentities.ts',
	'sandbox/passwordlessIdentity/claimsCheck.ts',
	'test/support/keyPairs.ts',
];

/** Exports of these modules, once a test file has loaded them. */
const exportsBySlowModule = new Map(
	slowModules.map((file) => [require.resolve(`../../../${file}`), undefined]),
);

/** Our own modules in compiled form, by file name. Each test file runs them anew, but none compiles them again. */
const compiled = new Map();

/** Modules as Jest transformed them, by file name, until the file changes. Jest would read each again for each test file. */
const transformed = new Map();

/**
 * Jest's module loader, for files that run in environment.js. Third-party packages come from the worker, which has loaded
 * them once, and our own modules are compiled once per worker. In any other environment, the loader works like Jest's own.
 */
module.exports = class SharingRuntime extends Runtime {
	constructor(config, environment, ...otherArguments) {
		super(config, environment, ...otherArguments);
		this.shares = environment.sharesModules === true;
		this.storages = [];
		if (!this.shares) return;
		this.executor.compile = (code, filename) => this.compile(code, filename);
		this.shareTransformed(this.transformCache);
	}

	/** Makes the cache of a test file use the modules that earlier test files of the worker have transformed. */
	shareTransformed(cache) {
		const transform = cache.transform.bind(cache);
		const codeByFile = new Map();
		const load = (filename, options) => {
			const { mtimeMs } = statSync(filename);
			const known = transformed.get(filename);
			if (known?.mtimeMs !== mtimeMs) {
				const code = transform(filename, options);
				transformed.set(filename, { mtimeMs, code, result: cache.transforms.get(filename) });
				return code;
			}
			const { code, result } = known;
			if (result) cache.transforms.set(filename, result);
			if (result?.sourceMapPath) cache.sourceMaps.set(filename, result.sourceMapPath);
			return code;
		};
		cache.transform = (filename, options) => {
			if (!codeByFile.has(filename)) codeByFile.set(filename, load(filename, options));
			return codeByFile.get(filename);
		};
	}

	compile(code, filename) {
		const cached = compiled.get(filename);
		if (cached?.code === code) return cached.run;
		const run = compileFunction(code, this.executor.injectedModuleParameters, {
			filename,
			importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
		});
		compiled.set(filename, { code, run });
		return run;
	}

	requireModule(from, name, options, isRequireActual) {
		const load = () => super.requireModule(from, name, options, isRequireActual);
		if (!this.shares || !name) return load();
		if (options?.isInternalModule) return name === 'node:async_hooks' ? this.asyncHooks() : load();
		const thirdPartyExports = loadPackage(from, name);
		if (thirdPartyExports !== undefined) return thirdPartyExports;
		const path = isBuiltin(name) ? name : this._resolution.resolveCjs(from, name);
		if (!exportsBySlowModule.has(path)) return load();
		if (!exportsBySlowModule.get(path)) exportsBySlowModule.set(path, load());
		return exportsBySlowModule.get(path);
	}

	/**
	 * Jest loads its test framework for each file. The framework leaves a storage behind that Node.js then visits for every
	 * promise of the process. After a hundred files, that takes longer than the tests do. The storages of a file therefore
	 * end with the file.
	 */
	asyncHooks() {
		const { storages } = this;
		class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
			constructor(...args) {
				super(...args);
				storages.push(this);
			}
		}
		return { ...asyncHooks, AsyncLocalStorage };
	}

	teardown() {
		super.teardown();
		for (const storage of this.storages) storage.disable();
	}
};

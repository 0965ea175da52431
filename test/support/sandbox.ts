import { startSandbox } from '../../sandbox/server';
import type { Sandbox, SandboxOptions } from '../../sandbox/server';

/** Opens something before the tests of a file and closes it after them. The returned object is empty until then. */
export function openForAllTests<T extends { close: () => Promise<void> }>(
	open: () => Promise<T>,
): T {
	const instance = {} as T;
	beforeAll(async () => void Object.assign(instance, await open()));
	afterAll(async () => await instance.close());
	return instance;
}

/** Provides one sandbox for all tests of a file, without resets. */
export const shareSandbox = (options?: SandboxOptions): Sandbox =>
	openForAllTests(async () => await startSandbox(options));

/** Provides a new sandbox for each test of a file, for tests that change its keys or close it. */
export function useNewSandboxPerTest(options?: SandboxOptions): Sandbox {
	const sandbox = {} as Sandbox;
	beforeEach(async () => void Object.assign(sandbox, await startSandbox(options)));
	afterEach(async () => await sandbox.close());
	return sandbox;
}

/** Resets a sandbox before each test of a file, and checks after it that the sandbox recorded no fault of its own. */
export function resetBeforeEach(sandbox: () => Sandbox): void {
	beforeEach(() => sandbox().reset());
	afterEach(() => expect(sandbox().internalErrors).toEqual([]));
}

/** Provides a sandbox for the tests of a file and resets it before each of them. */
export function useSandbox(options?: SandboxOptions): Sandbox {
	const sandbox = shareSandbox(options);
	resetBeforeEach(() => sandbox);
	return sandbox;
}

import { startSandbox } from '../../sandbox/server';
import type { Sandbox, SandboxOptions } from '../../sandbox/server';

/** What is opened before the tests of a file and closed after them; empty until then. */
export function openedForAll<T extends { close: () => Promise<void> }>(open: () => Promise<T>): T {
	const opened = {} as T;
	beforeAll(async () => void Object.assign(opened, await open()));
	afterAll(async () => await opened.close());
	return opened;
}

/** A sandbox that all tests of a file share as they leave it. */
export const shareSandbox = (options?: SandboxOptions): Sandbox =>
	openedForAll(async () => await startSandbox(options));

/** Brings a sandbox back to its start before each test of a file, and wants no fault of its own after it. */
export function keepFresh(sandbox: () => Sandbox): void {
	beforeEach(() => sandbox().reset());
	afterEach(() => expect(sandbox().faults).toEqual([]));
}

/** A sandbox for the tests of a file, fresh for each of them. */
export function useSandbox(options?: SandboxOptions): Sandbox {
	const sandbox = shareSandbox(options);
	keepFresh(() => sandbox);
	return sandbox;
}

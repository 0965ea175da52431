// Protects callers that share a request for a key: none gets a record from before a change, or fails with a canceled one.
import fc from 'fast-check';

import { KeyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import type { KeyLookupResult, LookupOptions } from '../../../nodes/PasswordlessIdentity/keyCache';

/** A key service that responds when the test says so, and records its requests. */
class FakeKeyService {
	readonly cache = new KeyCache(() => 0);
	/** Current state. A response reports the state at the time of its request. */
	version = 0;
	readonly requests: Array<{ respond: () => void; fail: (error: Error) => void }> = [];

	lookUp(options: LookupOptions = {}, key = 'k'): Promise<KeyLookupResult> {
		const fetch = async () =>
			await new Promise<KeyLookupResult>((resolve, reject) => {
				const record = { sub: key, version: this.version };
				options.signal?.addEventListener('abort', () => reject(new Error('cancelled')));
				this.requests.push({ respond: () => resolve({ record }), fail: reject });
			});
		return this.cache.getOrFetch('a', key, fetch, options);
	}
}

const flushMicrotasks = async () => {
	for (let count = 0; count < 20; count++) await Promise.resolve();
};
const getVersion = (result: KeyLookupResult) =>
	'record' in result ? result.record.version : undefined;
let service: FakeKeyService;
beforeEach(() => (service = new FakeKeyService()));

it('simultaneous callers share one request for one key', async () => {
	const lookups = [service.lookUp(), service.lookUp(), service.lookUp({}, 'l'), service.lookUp()];
	await flushMicrotasks();
	expect(service.requests).toHaveLength(2);
	for (const { respond } of service.requests) respond();
	expect((await Promise.all(lookups)).map(getVersion)).toEqual([0, 0, 0, 0]);
});

it('a caller that is cancelled while it waits is rejected alone and at once', async () => {
	const first = service.lookUp();
	const { signal, abort } = createController();
	const waiting = service.lookUp({ signal });
	const other = service.lookUp();
	abort();
	await expect(waiting).rejects.toThrow(/abort/i);
	service.requests[0]!.respond();
	expect((await Promise.all([first, other])).map(getVersion)).toEqual([0, 0]);
	expect(service.requests).toHaveLength(1);
});

it('a caller that was cancelled before its lookup is rejected', async () => {
	const first = service.lookUp();
	const { signal, abort } = createController();
	abort();
	await expect(service.lookUp({ signal })).rejects.toThrow(/abort/i);
	service.requests[0]!.respond();
	await first;
});

it('another caller sends the request again if the caller that sent it is cancelled', async () => {
	const { signal, abort } = createController();
	const cancelled = service.lookUp({ signal });
	const others = [service.lookUp(), service.lookUp(), service.lookUp()];
	await flushMicrotasks();
	abort();
	await expect(cancelled).rejects.toThrow('cancelled');
	await flushMicrotasks();
	expect(service.requests).toHaveLength(2);
	service.requests[1]!.respond();
	expect((await Promise.all(others)).map(getVersion)).toEqual([0, 0, 0]);
});

it('a failure is shared only by callers with the same retry settings', async () => {
	const impatientLookups = [
		service.lookUp({ sharingKey: 'once' }),
		service.lookUp({ sharingKey: 'once' }),
	];
	const patientLookup = service.lookUp({ sharingKey: 'four times' });
	await flushMicrotasks();
	expect(service.requests).toHaveLength(2);
	service.requests[0]!.fail(new Error('down'));
	for (const lookup of impatientLookups) await expect(lookup).rejects.toThrow('down');
	service.requests[1]!.respond();
	expect(getVersion(await patientLookup)).toBe(0);
	expect(service.requests).toHaveLength(2);
});

it('the next caller after a failure sends a new request', async () => {
	const failed = service.lookUp();
	await flushMicrotasks();
	service.requests[0]!.fail(new Error('down'));
	await expect(failed).rejects.toThrow('down');
	const next = service.lookUp();
	await flushMicrotasks();
	service.requests[1]!.respond();
	expect(getVersion(await next)).toBe(0);
});

it('a caller after a change of the key does not share a request from before the change', async () => {
	const before = service.lookUp();
	await flushMicrotasks();
	service.version++;
	service.cache.drop('a', 'k');
	const after = service.lookUp();
	await flushMicrotasks();
	expect(service.requests).toHaveLength(2);
	for (const { respond } of service.requests) respond();
	expect((await Promise.all([before, after])).map(getVersion)).toEqual([0, 1]);
	expect(getVersion(await service.lookUp())).toBe(1);
});

it('a caller with skipCache does not share an earlier request, whose record is then not stored', async () => {
	const earlier = service.lookUp({ sharingKey: 'another' });
	await flushMicrotasks();
	service.version++;
	const fresh = service.lookUp({ skipCache: true });
	const sharing = service.lookUp();
	await flushMicrotasks();
	expect(service.requests).toHaveLength(2);
	service.requests[1]!.respond();
	expect((await Promise.all([fresh, sharing])).map(getVersion)).toEqual([1, 1]);
	service.requests[0]!.respond();
	await earlier;
	expect(getVersion(await service.lookUp())).toBe(1);
});

it('in random histories no caller gets a record from before the last change, and none waits forever', async () => {
	const step = fc.oneof(
		fc.record({
			kind: fc.constant('lookUp' as const),
			skipCache: fc.boolean(),
			sharingKey: fc.constantFrom('a', 'b'),
		}),
		fc.record({ kind: fc.constant('answer' as const), index: fc.nat(20) }),
		fc.record({ kind: fc.constant('fail' as const), index: fc.nat(20) }),
		fc.record({ kind: fc.constant('change' as const) }),
		fc.record({ kind: fc.constant('cancel' as const), index: fc.nat(20) }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
			const fuzzedService = new FakeKeyService();
			const callers: Array<{ abort: () => void; result: Promise<void>; isCancelled: boolean }> = [];
			for (const action of steps) {
				if (action.kind === 'lookUp') {
					const { signal, abort } = createController();
					const versionAtStart = fuzzedService.version;
					const caller = { abort, isCancelled: false, result: Promise.resolve() };
					caller.result = fuzzedService
						.lookUp({ skipCache: action.skipCache, sharingKey: action.sharingKey, signal })
						.then(
							(result) => expect(getVersion(result)).toBeGreaterThanOrEqual(versionAtStart),
							(error: Error) => {
								if (!caller.isCancelled) expect(error.message).toBe('down');
							},
						);
					callers.push(caller);
				} else if (action.kind === 'change') {
					fuzzedService.version++;
					fuzzedService.cache.drop('a', 'k');
				} else if (action.kind === 'cancel') {
					const caller = callers[action.index % Math.max(1, callers.length)];
					if (caller) caller.isCancelled = true;
					caller?.abort();
				} else {
					const request =
						fuzzedService.requests[action.index % Math.max(1, fuzzedService.requests.length)];
					if (action.kind === 'answer') request?.respond();
					else request?.fail(new Error('down'));
				}
				await flushMicrotasks();
			}
			// Lookups may send more requests while earlier ones are answered.
			for (let index = 0; index < fuzzedService.requests.length; index++) {
				fuzzedService.requests[index]!.respond();
				await flushMicrotasks();
			}
			await Promise.all(callers.map(async ({ result }) => await result));
		}),
		{ numRuns: 300 },
	);
});

function createController() {
	const controller = new AbortController();
	return { signal: controller.signal, abort: () => controller.abort() };
}

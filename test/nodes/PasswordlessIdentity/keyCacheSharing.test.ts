import fc from 'fast-check';

import { KeyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import type { KeyLookupResult, LookupOptions } from '../../../nodes/PasswordlessIdentity/keyCache';

/** A service that answers when told to, and says how often it was asked. */
class Desk {
	readonly cache = new KeyCache(() => 0);
	/** Current state. A response reports the state at the time of its request. */
	version = 0;
	readonly asked: Array<{ respond: () => void; fail: (error: Error) => void }> = [];

	ask(asker: LookupOptions = {}, key = 'k'): Promise<KeyLookupResult> {
		const fetch = async () =>
			await new Promise<KeyLookupResult>((resolve, reject) => {
				const record = { sub: key, version: this.version };
				asker.signal?.addEventListener('abort', () => reject(new Error('cancelled')));
				this.asked.push({ respond: () => resolve({ record }), fail: reject });
			});
		return this.cache.getOrFetch('a', key, fetch, asker);
	}
}

const settled = async () => {
	for (let n = 0; n < 20; n++) await Promise.resolve();
};
const versionOf = (result: KeyLookupResult) =>
	'record' in result ? result.record.version : undefined;
let desk: Desk;
beforeEach(() => (desk = new Desk()));

it('simultaneous callers share one request for one key', async () => {
	const all = [desk.ask(), desk.ask(), desk.ask({}, 'l'), desk.ask()];
	await settled();
	expect(desk.asked).toHaveLength(2);
	for (const { respond } of desk.asked) respond();
	expect((await Promise.all(all)).map(versionOf)).toEqual([0, 0, 0, 0]);
});

it('a caller that is cancelled while it waits is rejected alone and at once', async () => {
	const first = desk.ask();
	const { signal, abort } = controller();
	const waiting = desk.ask({ signal });
	const other = desk.ask();
	abort();
	await expect(waiting).rejects.toThrow(/abort/i);
	desk.asked[0]!.respond();
	expect((await Promise.all([first, other])).map(versionOf)).toEqual([0, 0]);
	expect(desk.asked).toHaveLength(1);
});

it('a caller that was cancelled before gets no result', async () => {
	const first = desk.ask();
	const { signal, abort } = controller();
	abort();
	await expect(desk.ask({ signal })).rejects.toThrow(/abort/i);
	desk.asked[0]!.respond();
	await first;
});

it('another caller takes over if the one that fetches is cancelled', async () => {
	const { signal, abort } = controller();
	const cancelled = desk.ask({ signal });
	const others = [desk.ask(), desk.ask(), desk.ask()];
	await settled();
	abort();
	await expect(cancelled).rejects.toThrow('cancelled');
	await settled();
	expect(desk.asked).toHaveLength(2);
	desk.asked[1]!.respond();
	expect((await Promise.all(others)).map(versionOf)).toEqual([0, 0, 0]);
});

it('a failure is shared only by callers with the same retry settings', async () => {
	const hasty = [desk.ask({ sharingKey: 'once' }), desk.ask({ sharingKey: 'once' })];
	const patientLimits = desk.ask({ sharingKey: 'four times' });
	await settled();
	expect(desk.asked).toHaveLength(2);
	desk.asked[0]!.fail(new Error('down'));
	for (const one of hasty) await expect(one).rejects.toThrow('down');
	desk.asked[1]!.respond();
	expect(versionOf(await patientLimits)).toBe(0);
	expect(desk.asked).toHaveLength(2);
});

it('the next caller after a failure sends a new request', async () => {
	const failed = desk.ask();
	await settled();
	desk.asked[0]!.fail(new Error('down'));
	await expect(failed).rejects.toThrow('down');
	const next = desk.ask();
	await settled();
	desk.asked[1]!.respond();
	expect(versionOf(await next)).toBe(0);
});

it('a caller after a change does not join a request from before it', async () => {
	const before = desk.ask();
	await settled();
	desk.version++;
	desk.cache.drop('a', 'k');
	const after = desk.ask();
	await settled();
	expect(desk.asked).toHaveLength(2);
	for (const { respond } of desk.asked) respond();
	expect((await Promise.all([before, after])).map(versionOf)).toEqual([0, 1]);
	expect(versionOf(await desk.ask())).toBe(1);
});

it('a caller that wants a fresh record does not join, and the earlier result is not stored', async () => {
	const before = desk.ask({ sharingKey: 'another' });
	await settled();
	desk.version++;
	const fresh = desk.ask({ skipCache: true });
	const joined = desk.ask();
	await settled();
	expect(desk.asked).toHaveLength(2);
	desk.asked[1]!.respond();
	expect((await Promise.all([fresh, joined])).map(versionOf)).toEqual([1, 1]);
	desk.asked[0]!.respond();
	await before;
	expect(versionOf(await desk.ask())).toBe(1);
});

it('no caller ever gets a record from before the last change or waits forever', async () => {
	const step = fc.oneof(
		fc.record({
			kind: fc.constant('ask' as const),
			fresh: fc.boolean(),
			failureScope: fc.constantFrom('a', 'b'),
		}),
		fc.record({ kind: fc.constant('answer' as const), which: fc.nat(20) }),
		fc.record({ kind: fc.constant('fail' as const), which: fc.nat(20) }),
		fc.record({ kind: fc.constant('change' as const) }),
		fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(20) }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
			const world = new Desk();
			const askers: Array<{ abort: () => void; told: Promise<void>; cancelled: boolean }> = [];
			for (const one of steps) {
				if (one.kind === 'ask') {
					const { signal, abort } = controller();
					const since = world.version;
					const asker = { abort, cancelled: false, told: Promise.resolve() };
					asker.told = world.ask({ ...one, signal }).then(
						(result) => expect(versionOf(result)).toBeGreaterThanOrEqual(since),
						(error: Error) => {
							if (!asker.cancelled) expect(error.message).toBe('down');
						},
					);
					askers.push(asker);
				} else if (one.kind === 'change') {
					world.version++;
					world.cache.drop('a', 'k');
				} else if (one.kind === 'cancel') {
					const asker = askers[one.which % Math.max(1, askers.length)];
					if (asker) asker.cancelled = true;
					asker?.abort();
				} else {
					const asked = world.asked[one.which % Math.max(1, world.asked.length)];
					if (one.kind === 'answer') asked?.respond();
					else asked?.fail(new Error('down'));
				}
				await settled();
			}
			for (let n = 0; n < world.asked.length; n++) {
				world.asked[n]!.respond();
				await settled();
			}
			await Promise.all(askers.map(async ({ told }) => await told));
		}),
		{ numRuns: 300 },
	);
});

function controller() {
	const one = new AbortController();
	return { signal: one.signal, abort: () => one.abort() };
}

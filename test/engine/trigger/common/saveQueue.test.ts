// Protects callers who submit IDs at once: one save serves all of them, and a failed or disconnected caller blocks no other.
import { SaveQueue } from '../../../../nodes/engine/trigger/common/saveQueue';

describe('SaveQueue', () => {
	const createRequest = (isConnected = true) => ({
		nodeId: 'n',
		trigger: { storedState: () => ({ version: 1 }) },
		isConnected: () => isConnected,
	});

	it('lets one caller save for all callers in the queue, then another one for the callers that came meanwhile', async () => {
		const queue = new SaveQueue();
		const firstLock = (await queue.acquire('w', createRequest()))!;
		const [a, b, c] = [createRequest(), createRequest(), createRequest()];
		const earlyLocks = [queue.acquire('w', a), queue.acquire('w', b)];
		firstLock.release(true);
		const secondLock = (await earlyLocks[0])!;
		expect(secondLock.requests).toEqual([a, b]);
		const lateLock = queue.acquire('w', c);
		let isOtherCallerDone = false;
		void earlyLocks[1]!.then(() => (isOtherCallerDone = true));
		await Promise.resolve();
		expect(isOtherCallerDone).toBe(false);
		secondLock.release(true);
		expect(await earlyLocks[1]).toBeUndefined();
		expect((await lateLock)!.requests).toEqual([c]);
	});

	it('lets the next caller save for all others after a failed save', async () => {
		const queue = new SaveQueue();
		const firstLock = (await queue.acquire('w', createRequest()))!;
		const [a, b, c] = [createRequest(), createRequest(), createRequest()];
		const locks = [queue.acquire('w', a), queue.acquire('w', b)];
		firstLock.release(true);
		const secondLock = (await locks[0])!;
		const lateLock = queue.acquire('w', c);
		secondLock.release(false);
		const thirdLock = (await locks[1])!;
		expect(thirdLock.requests).toEqual([b, c]);
		thirdLock.release(true);
		expect(await lateLock).toBeUndefined();
	});

	it('has one queue per workflow, which is free again once the lock is released', async () => {
		const queue = new SaveQueue();
		const [lockOfW, lockOfV] = [
			await queue.acquire('w', createRequest()),
			await queue.acquire('v', createRequest()),
		];
		lockOfW!.release(true);
		lockOfV!.release(true);
		expect(await queue.acquire('w', createRequest())).toBeDefined();
	});

	it('skips callers that have disconnected, and ignores a second release', async () => {
		const queue = new SaveQueue();
		const firstLock = (await queue.acquire('w', createRequest()))!;
		const [disconnected, connected] = [createRequest(false), createRequest()];
		const locks = [queue.acquire('w', disconnected), queue.acquire('w', connected)];
		firstLock.release(true);
		firstLock.release(true);
		const secondLock = (await locks[1])!;
		expect(secondLock.requests).toEqual([connected, disconnected]);
		secondLock.release(true);
		expect(await locks[0]).toBeUndefined();

		const thirdLock = (await queue.acquire('w', createRequest()))!;
		const disconnectedLock = queue.acquire('w', createRequest(false));
		thirdLock.release(true);
		expect(await disconnectedLock).toBeUndefined();
		expect(await queue.acquire('w', createRequest())).toBeDefined();
	});
});

import { SaveQueue } from '../../../../nodes/engine/trigger/common/saveQueue';

describe('SaveQueue', () => {
	const createRequest = (isConnected = true) => ({
		nodeId: 'n',
		running: { storedState: () => ({ version: 1 }) },
		isConnected: () => isConnected,
	});

	it('lets one caller save for all that queued before, then one for all that queued meanwhile', async () => {
		const queue = new SaveQueue();
		const first = (await queue.acquire('w', createRequest()))!;
		const [a, b, c] = [createRequest(), createRequest(), createRequest()];
		const earlyLocks = [queue.acquire('w', a), queue.acquire('w', b)];
		first.release(true);
		const second = (await earlyLocks[0])!;
		expect(second.requests).toEqual([a, b]);
		const lateLock = queue.acquire('w', c);
		let isReleased = false;
		void earlyLocks[1]!.then(() => (isReleased = true));
		await Promise.resolve();
		expect(isReleased).toBe(false);
		second.release(true);
		expect(await earlyLocks[1]).toBeUndefined();
		expect((await lateLock)!.requests).toEqual([c]);
	});

	it('lets another caller save again after a failed save', async () => {
		const queue = new SaveQueue();
		const first = (await queue.acquire('w', createRequest()))!;
		const [a, b, c] = [createRequest(), createRequest(), createRequest()];
		const locks = [queue.acquire('w', a), queue.acquire('w', b)];
		first.release(true);
		const second = (await locks[0])!;
		const lateLock = queue.acquire('w', c);
		second.release(false);
		const third = (await locks[1])!;
		expect(third.requests).toEqual([b, c]);
		third.release(true);
		expect(await lateLock).toBeUndefined();
	});

	it('keeps one queue per workflow, which is empty once all callers are released', async () => {
		const queue = new SaveQueue();
		const [firstSlot, secondSlot] = [
			await queue.acquire('w', createRequest()),
			await queue.acquire('v', createRequest()),
		];
		firstSlot!.release(true);
		secondSlot!.release(true);
		expect(await queue.acquire('w', createRequest())).toBeDefined();
	});

	it('skips callers that have disconnected, and ignores a second release', async () => {
		const queue = new SaveQueue();
		const first = (await queue.acquire('w', createRequest()))!;
		const [disconnected, connected] = [createRequest(false), createRequest()];
		const locks = [queue.acquire('w', disconnected), queue.acquire('w', connected)];
		first.release(true);
		first.release(true);
		const second = (await locks[1])!;
		expect(second.requests).toEqual([connected, disconnected]);
		second.release(true);
		expect(await locks[0]).toBeUndefined();

		const third = (await queue.acquire('w', createRequest()))!;
		const disconnectedLock = queue.acquire('w', createRequest(false));
		third.release(true);
		expect(await disconnectedLock).toBeUndefined();
		expect(await queue.acquire('w', createRequest())).toBeDefined();
	});
});

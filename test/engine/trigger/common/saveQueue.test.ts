import { SaveQueue } from '../../../../nodes/engine/trigger/common/saveQueue';

describe('SaveQueue', () => {
	const waiting = (isConnected = true) => ({
		nodeId: 'n',
		running: { storedState: () => ({ version: 1 }) },
		isConnected: () => isConnected,
	});

	it('has one caller save for all that queued before, and then one for all that queued meanwhile', async () => {
		const queue = new SaveQueue();
		const first = (await queue.acquire('w', waiting()))!;
		const [a, b, c] = [waiting(), waiting(), waiting()];
		const early = [queue.acquire('w', a), queue.acquire('w', b)];
		first.release(true);
		const second = (await early[0])!;
		expect(second.requests).toEqual([a, b]);
		const late = queue.acquire('w', c);
		let gone = false;
		void early[1]!.then(() => (gone = true));
		await Promise.resolve();
		expect(gone).toBe(false);
		second.release(true);
		expect(await early[1]).toBeUndefined();
		expect((await late)!.requests).toEqual([c]);
	});

	it('has another caller save again after a failed save', async () => {
		const queue = new SaveQueue();
		const first = (await queue.acquire('w', waiting()))!;
		const [a, b, c] = [waiting(), waiting(), waiting()];
		const locks = [queue.acquire('w', a), queue.acquire('w', b)];
		first.release(true);
		const second = (await locks[0])!;
		const late = queue.acquire('w', c);
		second.release(false);
		const third = (await locks[1])!;
		expect(third.requests).toEqual([b, c]);
		third.release(true);
		expect(await late).toBeUndefined();
	});

	it('has one queue per workflow, which is empty once all callers are released', async () => {
		const queue = new SaveQueue();
		const [one, other] = [await queue.acquire('w', waiting()), await queue.acquire('v', waiting())];
		one!.release(true);
		other!.release(true);
		expect(await queue.acquire('w', waiting())).toBeDefined();
	});

	it('skips callers that have disconnected, and ignores a second release', async () => {
		const queue = new SaveQueue();
		const first = (await queue.acquire('w', waiting()))!;
		const [away, there] = [waiting(false), waiting()];
		const locks = [queue.acquire('w', away), queue.acquire('w', there)];
		first.release(true);
		first.release(true);
		const second = (await locks[1])!;
		expect(second.requests).toEqual([there, away]);
		second.release(true);
		expect(await locks[0]).toBeUndefined();

		const third = (await queue.acquire('w', waiting()))!;
		const alone = queue.acquire('w', waiting(false));
		third.release(true);
		expect(await alone).toBeUndefined();
		expect(await queue.acquire('w', waiting())).toBeDefined();
	});
});

// Protects reads that callers share: one read for all callers of a key, and the two ways to treat a failure.
import { SharedReads } from '../../nodes/engine/sharedReads';

const failOnce = () => {
	const reads: number[] = [];
	return async () => {
		reads.push(reads.length);
		if (reads.length === 1) throw new Error('first');
		return await Promise.resolve(`read ${reads.length}`);
	};
};

describe('SharedReads', () => {
	it('reads once for callers of the same key, and again for another key or owner', async () => {
		const shared = new SharedReads<number>();
		let reads = 0;
		const read = async () => await Promise.resolve(++reads);
		const [one, other] = [{}, {}];
		expect(
			await Promise.all([
				shared.get(one, 'a', read),
				shared.get(one, 'a', read),
				shared.get(one, 'b', read),
				shared.get(other, 'a', read),
			]),
		).toEqual([1, 1, 2, 3]);
		expect(await shared.get(one, 'a', read)).toBe(1);
	});

	it('shares a failure with the callers that wait for it, and reads again for the next caller', async () => {
		const shared = new SharedReads<string>();
		const owner = {};
		const read = failOnce();
		const first = shared.get(owner, 'a', read);
		const second = shared.get(owner, 'a', read);
		await expect(first).rejects.toThrow('first');
		await expect(second).rejects.toThrow('first');
		expect(await shared.get(owner, 'a', read)).toBe('read 2');
	});

	it('keeps a failure if the option says so', async () => {
		const shared = new SharedReads<string>({ keepsFailures: true });
		const owner = {};
		const read = failOnce();
		await expect(shared.get(owner, 'a', read)).rejects.toThrow('first');
		await expect(shared.get(owner, 'a', read)).rejects.toThrow('first');
	});

	it('reads again after forget, whose late failure does not remove the new result', async () => {
		const shared = new SharedReads<string>();
		const owner = {};
		let fail: (error: Error) => void = () => undefined;
		const late = shared.get(
			owner,
			'a',
			async () => await new Promise<string>((_, reject) => (fail = reject)),
		);
		shared.forget(owner, 'a');
		shared.forget({}, 'a');
		expect(await shared.get(owner, 'a', async () => await Promise.resolve('new'))).toBe('new');
		fail(new Error('late'));
		await expect(late).rejects.toThrow('late');
		expect(await shared.get(owner, 'a', async () => await Promise.resolve('newer'))).toBe('new');
	});
});

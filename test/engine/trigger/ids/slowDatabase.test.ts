// Protects acknowledged IDs with a slow or failing database: each stays saved, and starts and responses wait for few writes.
import { DatabaseModel } from './databaseModel';
import type { DatabaseOptions } from './databaseModel';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** Opens a workflow with two published triggers. */
async function openModel(options: DatabaseOptions): Promise<DatabaseModel> {
	const model = new DatabaseModel(options);
	jest.spyOn(Math, 'random').mockImplementation(model.random);
	void model.activate(0);
	void model.activate(1);
	await jest.advanceTimersByTimeAsync(2 * options.maxWriteMs);
	return model;
}

/** Submits five IDs at a time to one of the triggers, and activates one of the triggers again at times. */
async function play(options: DatabaseOptions): Promise<DatabaseModel> {
	const model = await openModel(options);
	const pauseMs = Math.max(1000, 2 * options.maxWriteMs);
	for (let count = 0; count < 60; count++) {
		if (model.random() < 0.1) void model.activate(Math.floor(2 * model.random()));
		const ids = [1, 2, 3, 4, 5].map((index) => `id-${count}-${index}`);
		void model.submit(Math.floor(2 * model.random()), ids);
		await jest.advanceTimersByTimeAsync(2 * pauseMs * model.random());
	}
	await jest.advanceTimersByTimeAsync(4 * options.maxWriteMs);
	await model.close();
	return model;
}

describe.each([20, 2000, 25_000])('with writes of up to %d ms', (maxWriteMs) => {
	const models: DatabaseModel[] = [];
	beforeAll(async () => {
		jest.useFakeTimers();
		for (const seed of [1, 2, 3]) models.push(await play({ seed, maxWriteMs }));
	});

	it('an acknowledged ID is in the database at every later moment', () => {
		expect(models.flatMap(({ lostIds }) => [...lostIds])).toEqual([]);
		const acknowledged = models.flatMap(({ acknowledgedIds }) => [...acknowledgedIds]);
		expect(acknowledged.length).toBeGreaterThan(800);
	});

	it('a start waits for one write more at most', () => {
		const delaysMs = models.flatMap(({ startDelaysMs }) => startDelaysMs);
		expect(delaysMs.length).toBeGreaterThan(300);
		expect(Math.max(...delaysMs)).toBeLessThan(2 * maxWriteMs);
	});
});

it('a fast database acknowledges within three writes', async () => {
	const maxWriteMs = 30;
	const { responseTimesMs } = await play({ seed: 1, maxWriteMs });
	expect(Math.max(...responseTimesMs)).toBeLessThan(3 * maxWriteMs);
});

describe('a write that fails', () => {
	it('acknowledges nothing, and the next request saves', async () => {
		const model = await openModel({ seed: 1, maxWriteMs: 40 });
		model.isFailing = true;
		const statuses = Promise.all([model.submit(0, ['a']), model.submit(1, ['b'])]);
		await jest.advanceTimersByTimeAsync(1000);
		model.isFailing = false;
		await jest.advanceTimersByTimeAsync(60_000);
		// The second request saves for itself.
		expect(await statuses).toEqual([503, 200]);
		const status = model.submit(0, ['a']);
		await jest.advanceTimersByTimeAsync(1000);
		expect(await status).toBe(200);
		expect([...model.lostIds]).toEqual([]);
		await model.close();
	});
});

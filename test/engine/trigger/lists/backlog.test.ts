import { dated, FollowBench, forever, HOUR, list, MINUTE } from './listHarness';

test('waiting for a confirmed start leaves no listener behind', async () => {
	const bench = await new FollowBench({ maxUnconfirmed: 1 }).open();
	const added = jest.spyOn(AbortSignal.prototype, 'addEventListener');
	const removed = jest.spyOn(AbortSignal.prototype, 'removeEventListener');
	bench.run = async () => await bench.time.sleep(100);
	for (let index = 0; index < 20; index++) bench.upsertRecord(dated(`r${index}`, 2000));
	await bench.time.pass(2 * MINUTE);
	expect(bench.started).toHaveLength(20);
	expect(added.mock.calls.length).toBeGreaterThan(19);
	// The nap that was over and the one that has begun are even.
	expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
});

test('a day of backlog is started in order, page by page, within the limit of unconfirmed starts', async () => {
	const bench = new FollowBench({ pageSize: 20, maxUnconfirmed: 5 });
	await bench.open();
	bench.failPage = () => ({ kind: 'unavailable', message: '503' });
	await bench.time.pass(MINUTE);
	for (let index = 0; index < 300; index++)
		bench.upsertRecord(dated(`r${index}`, index * 4 * MINUTE));
	await bench.time.pass(24 * HOUR);
	bench.failPage = () => undefined;
	let underWay = 0;
	let most = 0;
	bench.run = async () => {
		most = Math.max(most, ++underWay);
		await bench.time.sleep(1000);
		underWay--;
	};
	await bench.time.pass(HOUR);
	expect(bench.startedChanges).toEqual(
		Array.from({ length: 300 }, (_, index) => `created r${index}`),
	);
	expect(most).toBe(5);
});

test('comparing a long list never blocks the event loop for long', async () => {
	// A millisecond for each record, and how many were compared since the event loop last turned.
	let stretch = 0;
	const stretches: number[] = [];
	const source = list({
		isFiltered: false,
		identify: ({ Id }) => {
			bench.time.at++;
			stretches.push(++stretch);
			return Id;
		},
	});
	const bench: FollowBench = new FollowBench({ sources: [source], pageSize: 2000 });
	const { sleep } = bench.time;
	Object.assign(bench.time, {
		sleep: async (ms: number, signal?: AbortSignal) => {
			stretch = 0;
			await sleep(ms, signal);
		},
	});
	for (let Id = 0; Id < 1000; Id++) bench.upsertRecord({ Id, N: 0 });
	await bench.open(10_000);
	for (let Id = 0; Id < 1000; Id += 100) bench.upsertRecord({ Id, N: 1 });
	await bench.time.pass(2 * MINUTE);
	expect(stretches.length).toBeGreaterThanOrEqual(3000);
	expect(Math.max(...stretches)).toBeLessThanOrEqual(20);
	expect(bench.startedChanges).toEqual(
		Array.from({ length: 10 }, (_, index) => `updated ${100 * index}`),
	);
});

test('at most ten starts are unconfirmed, so that a kill of n8n crashes no more executions', async () => {
	const bench = await new FollowBench().open();
	bench.run = forever;
	for (let index = 0; index < 60; index++) bench.upsertRecord(dated(`p${index}`, 2000));
	await bench.time.pass(3 * MINUTE);
	expect(bench.requestedStarts).toHaveLength(10);
});

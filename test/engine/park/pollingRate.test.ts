import { sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;

/** Lets an execution wait for this many minutes and some seconds. */
async function waitFor(minutes: number): Promise<void> {
	const startedAtMs = Date.now();
	const execution = await start('One?');
	while (Date.now() < startedAtMs + minutes * MINUTE) {
		await advanceTime(execution.waitTill! - Date.now() + 5000);
	}
}

/** Counts the polls of the service and the status requests to n8n within one minute. */
async function countOneMinute(): Promise<{ polls: number; statusRequests: number }> {
	const before = {
		polls: rig.service.polls.length,
		statusRequests: rig.host.statusRequests.length,
	};
	await advanceTime(MINUTE);
	return {
		polls: rig.service.polls.length - before.polls,
		statusRequests: rig.host.statusRequests.length - before.statusRequests,
	};
}

// Up to a tenth is added to each interval at random, and polling restarts when an execution is parked again.
it.each([
	[0, 2, 25],
	[5, 5, 10],
	[15, 10, 5],
	[60, 15, 3],
	[180, 15, 3],
])(
	'after %d minutes a parked execution is polled every %d seconds',
	async (minutes, seconds, minPolls) => {
		open(sendAndWait());
		if (minutes === 0) await start('One?');
		else await waitFor(minutes);
		const { polls, statusRequests } = await countOneMinute();
		for (const count of [polls, statusRequests]) {
			expect(count).toBeGreaterThanOrEqual(minPolls);
			expect(count).toBeLessThanOrEqual(60 / seconds);
		}
		decide('One?');
		await advanceTime(1000 * seconds + 2000);
		expect(rig.host.nextInputs.get('1')).toMatchObject([[{ outcome: 'approved' }]]);
	},
	120_000,
);

it('a parked execution is never polled more often than the user set', async () => {
	const waits = { operation: 'create', wait: true, waitLimit: 7200 };
	open(sendAndWait({ ...waits, options: { checkEvery: 3 } }));
	await start('One?');
	const { polls } = await countOneMinute();
	expect(polls).toBeLessThanOrEqual(20);
});

it('parked executions cause fifty polls a second at most, in turn, however many there are', async () => {
	open(sendAndWait());
	const PARKED = 300;
	for (let index = 0; index < PARKED; index++) void rig.host.start([{ question: `${index}?` }]);
	await advanceTime(20_000);
	const { length } = rig.service.polls;
	await advanceTime(30_000);
	const newPolls = rig.service.polls.slice(length);
	expect(newPolls.length).toBeLessThanOrEqual(50 * 30);
	expect(newPolls.length).toBeGreaterThan(40 * 30);
	const times = new Map<string, number>();
	for (const { uuid } of newPolls) times.set(uuid, (times.get(uuid) ?? 0) + 1);
	expect(times.size).toBe(PARKED);
	expect(Math.max(...times.values()) - Math.min(...times.values())).toBeLessThanOrEqual(2);
}, 120_000);

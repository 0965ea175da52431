// Protects the service and n8n from too many polls: parked executions are polled less often with time, and equally often.
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;

/** Starts an execution, and lets at least this many minutes pass. */
async function startAndWait(minutes: number): Promise<void> {
	const startedAtMs = Date.now();
	const execution = await start('One?');
	while (Date.now() < startedAtMs + minutes * MINUTE) {
		await advanceTime(execution.waitTill! - Date.now() + 5000);
	}
}

/** Counts the polls of the service and the status requests to n8n within one minute. */
async function countRequestsInOneMinute(): Promise<{ polls: number; statusRequests: number }> {
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
	'after %d minutes the request of a parked execution and its status in n8n are read every %d seconds',
	async (minutes, intervalSeconds, minPolls) => {
		open(sendAndWait());
		if (minutes === 0) await start('One?');
		else await startAndWait(minutes);
		const { polls, statusRequests } = await countRequestsInOneMinute();
		for (const count of [polls, statusRequests]) {
			expect(count).toBeGreaterThanOrEqual(minPolls);
			expect(count).toBeLessThanOrEqual(60 / intervalSeconds);
		}
		decide('One?');
		await advanceTime(1000 * intervalSeconds + 2000);
		expect(rig.readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
	},
	120_000,
);

it('a parked execution is polled at most every three seconds if the user sets that interval', async () => {
	const createAndWait = { operation: 'create', wait: true, waitLimit: 7200 };
	open(sendAndWait({ ...createAndWait, options: { checkEvery: 3 } }));
	await start('One?');
	const { polls } = await countRequestsInOneMinute();
	expect(polls).toBeLessThanOrEqual(20);
});

it.each([
	[150, 33],
	[300, 20],
])(
	'%d parked executions cause about %d polls a second, and each is polled about equally often',
	async (executionCount, perSecond) => {
		open(sendAndWait());
		for (let index = 0; index < executionCount; index++)
			void rig.host.start([{ question: `${index}?` }]);
		await advanceTime(20_000);
		const earlierCount = rig.service.polls.length;
		await advanceTime(30_000);
		const newPolls = rig.service.polls.slice(earlierCount);
		expect(newPolls.length).toBeLessThanOrEqual((perSecond + 1) * 30);
		expect(newPolls.length).toBeGreaterThan(0.8 * perSecond * 30);
		const pollsByUuid = new Map<string, number>();
		for (const { uuid } of newPolls) pollsByUuid.set(uuid, (pollsByUuid.get(uuid) ?? 0) + 1);
		expect(pollsByUuid.size).toBe(executionCount);
		const counts = [...pollsByUuid.values()];
		expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
	},
	120_000,
);

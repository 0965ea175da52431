import { sendAndWait, useParkRig } from './parkRig';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide } = rig;

/** Lets an execution poll until it has waited for this many minutes, and some seconds more. */
async function waitFor(minutes: number): Promise<void> {
	const began = Date.now();
	const execution = await start('One?');
	while (Date.now() < began + minutes * MINUTE) {
		await advanceTime(execution.waitTill! - Date.now() + 5000);
	}
}

/** Counts the polls of the service and the queries of n8n within a minute. */
async function countMinute(): Promise<{ looks: number; inquiries: number }> {
	const before = { looks: rig.service.polls.length, inquiries: rig.host.statusRequests.length };
	await advanceTime(MINUTE);
	return {
		looks: rig.service.polls.length - before.looks,
		inquiries: rig.host.statusRequests.length - before.inquiries,
	};
}

// A tenth is added to each interval at random at most, and looks begin anew when an execution rests again.
it.each([
	[0, 2, 25],
	[5, 5, 10],
	[15, 10, 5],
	[60, 15, 3],
	[180, 15, 3],
])(
	'after %d minutes a parked execution is polled every %d seconds',
	async (minutes, seconds, least) => {
		open(sendAndWait());
		if (minutes === 0) await start('One?');
		else await waitFor(minutes);
		const { looks, inquiries } = await countMinute();
		for (const count of [looks, inquiries]) {
			expect(count).toBeGreaterThanOrEqual(least);
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
	const { looks } = await countMinute();
	expect(looks).toBeLessThanOrEqual(20);
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

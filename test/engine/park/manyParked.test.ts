// Protects n8n's start after a downtime with many parked executions: few are overdue, and each decision is noticed in time.
import { sendAndWait, useParkRig } from './parkRig';

/** n8n's short timer; outside of tests it is five minutes. A downtime lasts two of them. */
const TIMER_MS = 100_000;
const DOWNTIME_MS = 2 * TIMER_MS;
/** Number of executions: enough for most of them to get a long timer. */
const COUNT = 50;
/** Largest number of executions that n8n resumes at a start: those with checkpoints, and the share of long timers. */
const MAX_OVERDUE = 20;

const rig = useParkRig();
const { open, decide } = rig;
const questions = Array.from({ length: COUNT }, (_, index) => `${index}?`);

/** Real event-loop turns after each step of virtual time: n8n's engine needs them to run many executions at once. */
const TURNS = 100;

async function advanceTime(ms: number): Promise<void> {
	for (let left = ms; left > 0; left -= 1000) {
		await rig.advanceTime(Math.min(left, 1000));
		for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
	}
}

/** Parks an execution for each question, a few in each second. */
async function parkAll(): Promise<void> {
	for (const question of questions) {
		void rig.host.start([{ question }]);
		await advanceTime(200);
	}
	await advanceTime(5000);
	expect(countWaiting()).toBe(COUNT);
}

const countWaiting = () =>
	[...rig.host.executions.values()].filter(({ status }) => status === 'waiting').length;

/** Lets time pass until no execution is running: n8n's timer may be resuming one at any moment. */
async function waitUntilAllWait(): Promise<void> {
	for (let seconds = 0; countWaiting() < COUNT && seconds < 10; seconds++) await advanceTime(1000);
	expect(countWaiting()).toBe(COUNT);
}

const countOverdue = () =>
	[...rig.host.executions.values()].filter(
		({ status, waitTill = Infinity }) => status === 'waiting' && waitTill <= Date.now(),
	).length;

/** Kills n8n, and starts it again after the downtime. */
function restartAfterDowntime(): void {
	rig.host.restartProcess();
	rig.host.stopTimers();
	jest.setSystemTime(Date.now() + DOWNTIME_MS);
	rig.host.restartProcess();
	rig.host.recoverExecutions();
}

/** Returns the questions whose execution has ended with an approval, once each. */
const endedQuestions = () =>
	[...rig.host.nextInputs.values()].map((runs) => {
		expect(runs).toMatchObject([[{ approved: true }]]);
		return rig.service.approvals.get(`${runs[0]![0]!.id as string}`)!.message;
	});

// The tests below restart n8n after 2.4 timers.
it.each([1.3, 6])(
	'%s timers after many executions were parked, a downtime makes few of them overdue, and each decision is noticed within two timers',
	async (timers) => {
		open(sendAndWait(), { resumeAfterMs: TIMER_MS });
		await parkAll();
		await advanceTime(timers * TIMER_MS);
		await waitUntilAllWait();
		rig.host.restartProcess();
		rig.host.stopTimers();
		const decided = questions.filter((_, index) => index % 3 === 0);
		for (const question of decided) decide(question);
		jest.setSystemTime(Date.now() + DOWNTIME_MS);
		expect(countOverdue()).toBeLessThanOrEqual(MAX_OVERDUE);
		rig.host.restartProcess();
		rig.host.recoverExecutions();
		await advanceTime(DOWNTIME_MS);
		expect(endedQuestions().sort()).toEqual(decided.sort());
		expect(rig.service.approvals.size).toBe(COUNT);
	},
	60_000,
);

it('a decision soon after the restart is noticed soon, although most executions were not resumed', async () => {
	open(sendAndWait(), { resumeAfterMs: TIMER_MS });
	await parkAll();
	await advanceTime(2.4 * TIMER_MS);
	restartAfterDowntime();
	// By then the first execution with a checkpoint has resumed.
	await advanceTime(TIMER_MS);
	for (const question of questions) decide(question);
	// In the last 75 seconds before its timer, n8n's timer resumes an execution, and not the poller.
	await advanceTime(80_000);
	expect(endedQuestions().sort()).toEqual([...questions].sort());
}, 60_000);

it('a second crash while n8n starts delays no decision by more than two timers, and ends few executions', async () => {
	open(sendAndWait(), { resumeAfterMs: TIMER_MS });
	await parkAll();
	await advanceTime(2.4 * TIMER_MS);
	restartAfterDowntime();
	await advanceTime(1500);
	rig.host.restartProcess();
	rig.host.recoverExecutions();
	await advanceTime(3000);
	const crashed = [...rig.host.executions.values()].filter(({ status }) => status === 'crashed');
	expect(crashed.length).toBeLessThanOrEqual(MAX_OVERDUE);
	for (const question of questions) decide(question);
	await advanceTime(DOWNTIME_MS);
	expect(endedQuestions()).toHaveLength(COUNT - crashed.length);
}, 60_000);

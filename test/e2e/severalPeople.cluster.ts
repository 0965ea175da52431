// Protects approvals by several people in queue mode: each level resumes, and a person gets one request, even after a kill.
import { Flow, recordingNode, waitFor } from '../../lab/drive/flows';
import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { resumeTimer } from './park/resumeTimer';
import { openPhones } from './park/severalPeople';

/** Interval in seconds at which parked executions poll again; the default is five minutes. */
const TIMER_S = 100;
const RESUMES_WITHIN_MS = 600_000;

describe('approvals by several people in queue mode', () => {
	let cluster: Cluster;
	beforeAll(async () => {
		cluster = await startCluster({ name: 'several', workers: 2, env: resumeTimer(TIMER_S) });
	});
	afterAll(async () => await (cluster as Cluster | undefined)?.stop());

	/** Starts an execution, approves as both people of level 1, and waits until it is parked at level 2. */
	const runToLevel2 = async (message: string) => {
		const phones = openPhones(cluster.lab);
		const flow = await Flow.open(cluster.lab, [
			phones.createTwoLevelNode('Ask', message),
			recordingNode,
		]);
		const run = await (await flow.start()).waitForStatus('waiting', RESUMES_WITHIN_MS);
		expect(phones.countRequests(message)).toEqual({ guest: 1, manager: 1, finance: 0 });
		phones.decide('guest', message, 'approved');
		phones.decide('manager', message, 'approved');
		await waitFor(RESUMES_WITHIN_MS, async () =>
			phones.countRequests(message).finance === 1 ? true : undefined,
		);
		await run.waitForStatus('waiting', RESUMES_WITHIN_MS);
		return { run, phones };
	};
	const expectCompletion = async (
		{ run, phones }: Awaited<ReturnType<typeof runToLevel2>>,
		message: string,
	) => {
		phones.decide('finance', message, 'approved');
		await run.waitForStatus('success', RESUMES_WITHIN_MS);
		expect(await run.items('Next')).toMatchObject([{ outcome: 'approved', level: 'Finance' }]);
		expect(await run.nodeRuns('Next')).toHaveLength(1);
		expect(phones.countRequests(message)).toEqual({ guest: 1, manager: 1, finance: 1 });
	};

	test('resume on the workers at both levels, with one request per person', async () => {
		await expectCompletion(await runToLevel2('By the workers?'), 'By the workers?');
	});

	test('send no second request to a person if the workers are killed during level 2', async () => {
		const parkedRun = await runToLevel2('Workers killed?');
		await Promise.all(cluster.workers.map(async (worker) => await worker.stop('SIGKILL')));
		await cluster.startWorker();
		await expectCompletion(parkedRun, 'Workers killed?');
	});
});

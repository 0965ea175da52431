import { Flow, recordingNode, waitFor } from '../../lab/drive/flows';
import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { resumeTimer } from './park/resumeTimer';
import { phonesOf } from './park/severalPeople';

/** Seconds until parked executions poll again by themselves; users have five minutes. */
const TIMER_S = 100;
const RESUMES_WITHIN_MS = 600_000;

describe('approvals by several people in queue mode', () => {
	let queue: Cluster;
	beforeAll(async () => {
		queue = await startCluster({ name: 'several', workers: 2, env: resumeTimer(TIMER_S) });
	});
	afterAll(async () => await (queue as Cluster | undefined)?.stop());

	const runToLevel2 = async (message: string) => {
		const phones = phonesOf(queue.lab);
		const flow = await Flow.open(queue.lab, [phones.twoLevels('Ask', message), recordingNode]);
		const run = await (await flow.start()).waitForStatus('waiting', RESUMES_WITHIN_MS);
		expect(phones.counts(message)).toEqual({ guest: 1, manager: 1, finance: 0 });
		phones.decide('guest', message, 'approved');
		phones.decide('manager', message, 'approved');
		await waitFor(RESUMES_WITHIN_MS, async () =>
			phones.counts(message).finance === 1 ? true : undefined,
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
		expect(phones.counts(message)).toEqual({ guest: 1, manager: 1, finance: 1 });
	};

	test('two levels are resumed by the workers, with one request per person', async () => {
		await expectCompletion(await runToLevel2('By the workers?'), 'By the workers?');
	});

	test('workers are killed while level 2 is open: no person is asked again', async () => {
		const parkedRun = await runToLevel2('Workers killed?');
		await Promise.all(queue.workers.map(async (worker) => await worker.stop('SIGKILL')));
		await queue.startWorker();
		await expectCompletion(parkedRun, 'Workers killed?');
	});
});

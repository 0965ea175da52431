import { setTimeout as delay } from 'node:timers/promises';

import { ask, Flow, next, pushes } from '../../lab/drive/flows';
import { killAndRestart } from '../../lab/drive/triggerWorkflows';
import { decide } from '../../lab/drive/watchedIds';
import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { resumeTimer } from './park/resumeTimer';

/** Interval in seconds at which parked executions poll again; the default is five minutes. */
const TIMER_S = 100;
const RESUME_TIMEOUT_MS = 600_000;

describe('parked executions in queue mode, with a main process and workers that are killed', () => {
	let queue: Cluster;
	let flow: Flow;
	beforeAll(async () => {
		queue = await startCluster({ name: 'park', workers: 2, env: resumeTimer(TIMER_S) });
		flow = await Flow.open(queue.lab, [ask('Ask'), next]);
	});
	afterAll(async () => await (queue as Cluster | undefined)?.stop());

	const park = async () => {
		const known = pushes(queue.lab);
		const run = await (await flow.start()).reaches('waiting', RESUME_TIMEOUT_MS);
		const uuids = pushes(queue.lab).filter((uuid) => !known.includes(uuid));
		expect(uuids).toHaveLength(1);
		return { run, uuid: uuids[0]! };
	};
	/** Waits for the result of an execution that should resume. */
	const expectResumed = async (
		{ run, uuid }: Awaited<ReturnType<typeof park>>,
		withinMs: number,
	) => {
		await run.reaches('success', withinMs);
		expect(await run.items('Next')).toMatchObject([{ id: uuid, approved: true }]);
		expect(await run.runs('Ask')).toHaveLength(1);
		expect(await run.runs('Next')).toHaveLength(1);
	};

	test('resume after the decision, before the timer', async () => {
		const parked = await park();
		await delay(3000);
		const timerAt = await parked.run.resumesAt();
		decide(queue.lab.sandbox, parked.uuid, 'approved');
		await expectResumed(parked, timerAt - Date.now());
	});

	test('resume if the main process was killed meanwhile', async () => {
		const parked = await park();
		await killAndRestart(queue.lab);
		decide(queue.lab.sandbox, parked.uuid, 'approved');
		await expectResumed(parked, RESUME_TIMEOUT_MS);
	});

	test('resume by the timer if the workers were killed, with one push each', async () => {
		const parked = [await park(), await park()];
		const sent = pushes(queue.lab).length;
		await Promise.all(queue.workers.map(async (worker) => await worker.stop('SIGKILL')));
		for (const { uuid } of parked) decide(queue.lab.sandbox, uuid, 'approved');
		await queue.startWorker();
		for (const one of parked) await expectResumed(one, RESUME_TIMEOUT_MS);
		expect(pushes(queue.lab)).toHaveLength(sent);
	});
});

// Protects ID triggers in queue mode: each ID starts the workflow once, even if main process and worker are killed.
import { setTimeout as delay } from 'node:timers/promises';

import { applyPlannedOutcome, planIds } from '../../lab/drive/plannedIds';
import type { PlannedId } from '../../lab/drive/plannedIds';
import { submitIds, killAndRestart, publishWatchWorkflows } from '../../lab/drive/triggerWorkflows';
import type { WatchWorkflows } from '../../lab/drive/triggerWorkflows';
import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { createRandom } from '../../sandbox/random';
import { waitForStoredExecutions } from './triggers/stored';

const SUBMITTED_WITHIN_MS = 900_000;
const random = createRandom(4711);

describe('triggers in queue mode, with a main process and a worker that are killed', () => {
	let cluster: Cluster;
	beforeAll(async () => {
		cluster = await startCluster({ name: 'triggers', workers: 2 });
	});
	afterAll(async () => await (cluster as Cluster | undefined)?.stop());

	test('start one execution with the right outcome for each of 200 IDs', async () => {
		const { lab, workers } = cluster;
		const plannedIds = await planIds(lab.sandbox, { approvals: 120, jobs: 80 }, random);
		const workflows = await publishWatchWorkflows(lab, plannedIds);
		const deadlineMs = Date.now() + SUBMITTED_WITHIN_MS;
		const unsubmitted = plannedIds.filter(({ isEntered }) => !isEntered);
		const toDecide = [...plannedIds];
		const submissions: Promise<void>[] = [];
		const submitSome = (count: number) => {
			submissions.push(...submitByKind(workflows, unsubmitted.splice(0, count), deadlineMs));
		};
		const decideSome = async (count: number, withinMs: number) => {
			for (const plannedId of toDecide.splice(0, count)) {
				await delay((withinMs * 2 * random.next()) / count);
				await applyPlannedOutcome(lab.sandbox, plannedId);
			}
		};
		/** Submits and decides some IDs over a few seconds. */
		const submitAndDecide = async () => {
			for (let post = 0; post < 4; post++) {
				submitSome(random.int(4, 9));
				await decideSome(random.int(8, 14), 1500);
			}
		};

		await submitAndDecide();
		const restart = killAndRestart(lab);
		await decideSome(10, 3000);
		await restart;
		await submitAndDecide();
		await workers[0]!.stop('SIGKILL');
		await submitAndDecide();
		const newWorker = cluster.startWorker();
		submitSome(unsubmitted.length);
		await decideSome(toDecide.length, 5000);
		await Promise.all([...submissions, newWorker]);

		const executions = await waitForStoredExecutions(cluster, workflows, plannedIds.length);
		// n8n keeps only the key of an execution that died with its worker.
		const outcomes = new Map(plannedIds.map(({ id, outcome }) => [id, outcome]));
		const actualStarts = executions.map(({ key, id = key
				.split(':')
				.at(-1)!, status, outcome }) => ({
			id,
			outcome: status === 'success' ? outcome : (outcome ?? outcomes.get(id)),
		}));
		const expectedStarts = plannedIds.map(({ id, outcome }) => ({ id, outcome }));
		expect(formatSorted(actualStarts)).toEqual(formatSorted(expectedStarts));
		const statuses = new Set(executions.map(({ status }) => status));
		expect(['success', 'crashed', 'error', 'new']).toEqual(expect.arrayContaining([...statuses]));
		// Executions of the killed worker fail. On a busy machine n8n loses its database connections, and more of them fail.
		expect(executions.filter(({ status }) => status === 'success').length).toBeGreaterThan(0);
	});
});

const formatSorted = (list: Array<{ id: string; outcome?: string }>) =>
	list.map(({ id, outcome }) => `${id} ${outcome}`).sort();

function submitByKind(
	workflows: WatchWorkflows,
	plannedIds: PlannedId[],
	deadlineMs: number,
): Promise<void>[] {
	return (['approval', 'job'] as const).map(async (kind) => {
		const ids = plannedIds.filter((plannedId) => plannedId.kind === kind).map(({ id }) => id);
		if (ids.length > 0) await submitIds(workflows[kind].url, ids, deadlineMs);
	});
}

// Protects list triggers in queue mode: each change starts the workflow once, even if main process and worker are killed.
import { setTimeout as delay } from 'node:timers/promises';

import {
	changeNameOf,
	publishListTriggerWorkflows,
	planChanges,
} from '../../lab/drive/plannedChanges';
import { killAndRestart } from '../../lab/drive/triggerWorkflows';
import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { createRandom } from '../../sandbox/random';
import { waitForStoredExecutions } from './triggers/stored';

const CHANGES_PER_KIND = 40;
const random = createRandom(4712);

describe('triggers that follow lists, in queue mode, with a main process and a worker that are killed', () => {
	let cluster: Cluster;
	beforeAll(async () => {
		cluster = await startCluster({ name: 'changes', workers: 2 });
	});
	afterAll(async () => await (cluster as Cluster | undefined)?.stop());

	test('start exactly one execution for each of 200 changes', async () => {
		const { lab, workers } = cluster;
		const changes = await planChanges(lab.sandbox, random, CHANGES_PER_KIND);
		// The triggers must not report changes from before they were started.
		await delay(2000);
		const workflows = await publishListTriggerWorkflows(lab);
		const expectedIds: string[] = [];
		const applyChanges = async (count: number, withinMs: number) => {
			for (const change of changes.splice(0, count)) {
				await delay((withinMs * 2 * random.next()) / count);
				expectedIds.push(await change.apply());
			}
		};
		await applyChanges(40, 12_000);
		const restart = killAndRestart(lab);
		await applyChanges(30, 4000);
		await restart;
		await applyChanges(40, 12_000);
		await workers[0]!.stop('SIGKILL');
		await applyChanges(40, 12_000);
		const newWorker = cluster.startWorker();
		await applyChanges(changes.length, 5000);
		await newWorker;

		const executions = await waitForStoredExecutions(cluster, workflows, expectedIds.length);
		// n8n keeps only the key of an execution that died with its worker.
		const names = executions.flatMap(({ item }) => (item ? [changeNameOf(item)] : []));
		expect(new Set(names).size).toBe(names.length);
		expect(expectedIds).toEqual(expect.arrayContaining(names));
		const keys = executions.map(({ key }) => key);
		expect(new Set(keys).size).toBe(keys.length);
		const namelessCount = executions.length - names.length;
		const missingNames = expectedIds.filter((name) => !names.includes(name));
		expect(missingNames.slice(namelessCount)).toEqual([]);
		expect(executions).toHaveLength(expectedIds.length);
		// Executions of the killed worker have failed; more fail if the machine is so slow that n8n loses its database.
		expect(executions.filter(({ status }) => status === 'success').length).toBeGreaterThan(100);
	});
});

// Protects list triggers while n8n is killed again and again: each change starts the workflow once, and none is lost.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import {
	changeNameOf,
	publishListTriggerWorkflows,
	planChanges,
} from '../../lab/drive/plannedChanges';
import { killAndRestart, waitForExecutions } from '../../lab/drive/triggerWorkflows';
import { killableEnv } from '../../lab/environment';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { createRandom } from '../../sandbox/random';

const KILLS = 5;
const CHANGES_PER_KIND = 40;
const random = createRandom(20261116);

describe('triggers that follow lists, in an n8n that is killed five times', () => {
	let userFolder: string;
	let lab: Lab;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-changes-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 3 }, env: killableEnv });
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	test('start exactly one execution for each of 200 changes', async () => {
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
		for (let kill = 1; kill <= KILLS; kill++) {
			await applyChanges(random.int(15, 25), random.int(2000, 12_000));
			await delay(random.int(0, 6000));
			const restarted = killAndRestart(lab);
			await applyChanges(10, 3000);
			await restarted;
		}
		await applyChanges(changes.length, 5000);

		const executions = await waitForExecutions(lab, workflows, expectedIds.length, 120_000);
		const names = executions.map(({ item, error }) =>
			item ? changeNameOf(item) : `nothing: ${error}`,
		);
		expect(names.sort()).toEqual(expectedIds.sort());
		const statuses = [...new Set(executions.map(({ status }) => status))];
		expect(['success', 'crashed']).toEqual(expect.arrayContaining(statuses));
	}, 480_000);
});

// Protects ID triggers while n8n is killed again and again: each ID starts the workflow once, and keeps its poll interval.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { listPollTimes } from '../../lab/drive/approvalsAndJobs';
import { applyPlannedOutcome, planIds } from '../../lab/drive/plannedIds';
import type { PlannedId } from '../../lab/drive/plannedIds';
import {
	submitIds,
	killAndRestart,
	publishWatchWorkflows,
	waitForExecutions,
} from '../../lab/drive/triggerWorkflows';
import type { WatchWorkflows } from '../../lab/drive/triggerWorkflows';
import { killableEnv } from '../../lab/environment';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { createRandom } from '../../sandbox/random';

const KILLS = 5;
const POLL_INTERVAL_MS = 2000;
/** Tolerance for the time that a request takes on a busy machine. */
const MAX_TRANSIT_MS = 200;
const random = createRandom(20261115);

describe('triggers in an n8n that is killed five times', () => {
	let userFolder: string;
	let lab: Lab;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-triggers-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 1 }, env: killableEnv });
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	/** Submits the IDs of each kind in one request, and does not wait for the responses. */
	function submitWithoutWaiting(
		workflows: WatchWorkflows,
		plannedIds: PlannedId[],
		deadlineMs: number,
	): Promise<void>[] {
		return (['approval', 'job'] as const).map(async (kind) => {
			const ids = plannedIds.filter((plannedId) => plannedId.kind === kind).map(({ id }) => id);
			if (ids.length > 0) await submitIds(workflows[kind].url, ids, deadlineMs);
		});
	}

	test('start one execution with the right outcome for each of 200 IDs, and keep the poll interval', async () => {
		const plannedIds = await planIds(lab.sandbox, { approvals: 120, jobs: 80 }, random);
		const workflows = await publishWatchWorkflows(lab, plannedIds);
		const deadlineMs = Date.now() + 400_000;
		const unsubmitted = plannedIds.filter(({ isEntered }) => !isEntered);
		const undecided = [...plannedIds];
		const submissions: Promise<void>[] = [];
		const decideSome = async (count: number, withinMs: number) => {
			for (const plannedId of undecided.splice(0, count)) {
				await delay((withinMs * 2 * random.next()) / count);
				await applyPlannedOutcome(lab.sandbox, plannedId);
			}
		};

		for (let kill = 1; kill <= KILLS; kill++) {
			for (let post = 0; post < 3; post++) {
				submissions.push(
					...submitWithoutWaiting(workflows, unsubmitted.splice(0, random.int(3, 8)), deadlineMs),
				);
				await decideSome(random.int(5, 10), random.int(300, 1500));
			}
			await delay(random.int(0, 4000));
			// In every second round, n8n acknowledges the last IDs just before it is killed.
			const lastSubmissions = submitWithoutWaiting(workflows, unsubmitted.splice(0, 3), deadlineMs);
			submissions.push(...lastSubmissions);
			if (kill % 2 === 1) await Promise.all(lastSubmissions);
			const restart = killAndRestart(lab);
			await decideSome(6, 2000);
			await restart;
		}
		submissions.push(...submitWithoutWaiting(workflows, unsubmitted.splice(0), deadlineMs));
		await decideSome(undecided.length, 5000);
		await Promise.all(submissions);

		const executions = await waitForExecutions(lab, workflows, plannedIds.length, 60_000);
		const expected = plannedIds.map(({ id, outcome }) => `${id} ${outcome}`).sort();
		expect(executions.map(({ id, outcome }) => `${id} ${outcome}`).sort()).toEqual(expected);
		// n8n does not resume executions that the kill ended. All others ran to their end.
		const statuses = [...new Set(executions.map(({ status }) => status))];
		expect(['success', 'crashed']).toEqual(expect.arrayContaining(statuses));

		for (const { id } of plannedIds) {
			const polls = listPollTimes(lab.sandbox, id);
			for (const [index, polledAt] of polls.slice(1).entries()) {
				expect(polledAt - polls[index]!).toBeGreaterThanOrEqual(POLL_INTERVAL_MS - MAX_TRANSIT_MS);
			}
		}
	}, 480_000);
});

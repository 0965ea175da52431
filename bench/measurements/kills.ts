import { setTimeout as delay } from 'node:timers/promises';

import { publishListTriggerWorkflows } from '../../lab/drive/plannedChanges';
import {
	readExecutions,
	killAndRestart,
	waitForExecutions,
} from '../../lab/drive/triggerWorkflows';
import { killableEnv } from '../../lab/environment';
import type { Lab } from '../../lab/lab';
import type { Measurement } from '../harness/measurement';
import { startTemporaryLab } from '../harness/temporaryLab';

const CRASHED = 'crashed executions';
/** People who register at once before each kill. */
const PEOPLE_COUNT = 150;
/** Time from the first started execution to the kill. */
const KILL_DELAY_MS = 4000;

/** Registers people at once and kills n8n while it starts their executions. Counts the executions that n8n marks as crashed. */
async function registerAndKill(
	lab: Lab,
	workflowId: string,
): Promise<{ crashed: number; started: number }> {
	const countBefore = (await readExecutions(lab, workflowId)).length;
	const register = async (index: number) =>
		await lab.sandbox.control('eventRegistration', 'register', {
			eventId: '1004',
			FirstName: `Person ${index}`,
			LastName: 'Crowd',
			Email: `person${countBefore + index}@email.example`,
		});
	await Promise.all(
		Array.from({ length: PEOPLE_COUNT }, async (_, index) => await register(index)),
	);
	while ((await readExecutions(lab, workflowId)).length === countBefore) await delay(100);
	await delay(KILL_DELAY_MS);
	await killAndRestart(lab);
	const executions = await waitForExecutions(
		lab,
		{ registration: { workflowId } },
		countBefore + PEOPLE_COUNT,
		240_000,
	);
	const newExecutions = executions
		.sort((a, b) => Number(a.executionId) - Number(b.executionId))
		.slice(countBefore);
	if (newExecutions.length !== PEOPLE_COUNT)
		throw new Error(`${newExecutions.length} executions for ${PEOPLE_COUNT} people`);
	return {
		crashed: newExecutions.filter(({ status }) => status === 'crashed').length,
		started: newExecutions.length,
	};
}

/** Counts the executions that a kill of n8n destroys. */
export const kills: Measurement = {
	name: 'kills',
	title: 'n8n is killed while a trigger starts executions',
	method: `${PEOPLE_COUNT} people register at once. The Event Registration Trigger starts an execution for each, which takes a second. n8n (with SQLite) is killed ${KILL_DELAY_MS / 1000} s after the first execution has started. In the end all executions have started, before the kill or after the restart. n8n marks those as crashed that it was about to run or was running.`,
	onlyByName: true,
	async run({ rounds, progress }) {
		const { lab, stop } = await startTemporaryLab({
			sandbox: { registrations: 3 },
			env: killableEnv,
		});
		try {
			// Keeps the sandbox's demo data older than the trigger's start: newer records would count as changes.
			await delay(2000);
			const { registration } = await publishListTriggerWorkflows(lab);
			const crashedCounts: number[] = [];
			for (let round = 0; round < rounds; round++) {
				const counts = await registerAndKill(lab, registration!.workflowId);
				progress.print(`  ${counts.crashed} of ${counts.started} executions crashed`);
				crashedCounts.push(counts.crashed);
			}
			return [
				{
					name: 'kills',
					unit: 'executions',
					rowHeader: 'people',
					contenders: [CRASHED],
					rows: [{ name: `${PEOPLE_COUNT} at once`, values: { [CRASHED]: crashedCounts } }],
					display: 'table',
				},
			];
		} finally {
			await stop();
		}
	},
};

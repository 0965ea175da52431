import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { openFollowing } from '../../lab/drive/plannedChanges';
import { executionsOf, killAndRestart, settled } from '../../lab/drive/triggerWorkflows';
import { killable } from '../../lab/environment';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import type { Measurement } from '../harness/measurement';

const OURS = 'crashed executions';
/** How many people register at once before each kill, and for how long n8n starts their executions until then. */
const PEOPLE = 150;
const UNTIL_KILL_MS = 4000;

/** Lets people register at once, kills n8n while it starts their executions, and says how many of these n8n marks as crashed. */
async function kill(lab: Lab, workflow: string): Promise<{ crashed: number; started: number }> {
	const before = (await executionsOf(lab, workflow)).length;
	const register = async (index: number) =>
		await lab.sandbox.control('eventRegistration', 'register', {
			eventId: '1004',
			FirstName: `Person ${index}`,
			LastName: 'Crowd',
			Email: `person${before + index}@email.example`,
		});
	await Promise.all(Array.from({ length: PEOPLE }, async (_, index) => await register(index)));
	while ((await executionsOf(lab, workflow)).length === before) await delay(100);
	await delay(UNTIL_KILL_MS);
	await killAndRestart(lab);
	const all = await settled(lab, { registration: { workflow } }, before + PEOPLE, 240_000);
	const own = all.sort((a, b) => Number(a.execution) - Number(b.execution)).slice(before);
	if (own.length !== PEOPLE) throw new Error(`${own.length} executions for ${PEOPLE} people`);
	return {
		crashed: own.filter(({ status }) => status === 'crashed').length,
		started: own.length,
	};
}

/** What a kill of n8n destroys. */
export const kills: Measurement = {
	name: 'kills',
	title: 'n8n is killed while a trigger starts executions',
	about: `${PEOPLE} people register at once, the Event Registration Trigger starts an execution for each, which takes a second, and n8n (with SQLite) is killed ${UNTIL_KILL_MS / 1000} s after the first. All are started in the end, before the kill or after the restart. n8n marks those as crashed that it was about to run.`,
	onlyByName: true,
	async run({ rounds, progress }) {
		const userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-kills-'));
		const lab = await startLab({ userFolder, sandbox: { registrations: 3 }, env: killable });
		try {
			// What happened a moment ago is not to look as if it were new.
			await delay(2000);
			const { registration } = await openFollowing(lab);
			const crashed: number[] = [];
			for (let round = 0; round < rounds; round++) {
				const found = await kill(lab, registration!.workflow);
				progress.line(`  ${found.crashed} of ${found.started} crashed`);
				crashed.push(found.crashed);
			}
			return [
				{
					name: 'kills',
					unit: 'executions',
					rowsAre: 'people',
					contenders: [OURS],
					rows: [{ name: `${PEOPLE} at once`, values: { [OURS]: crashed } }],
					shown: 'table',
				},
			];
		} finally {
			await lab.stop();
			await rm(userFolder, { recursive: true, force: true });
		}
	},
};

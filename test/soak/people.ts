import axios from 'axios';
import { setTimeout as delay } from 'node:timers/promises';

import { applyPlannedOutcome, planIds } from '../../lab/drive/plannedIds';
import type { PlannedId } from '../../lab/drive/plannedIds';
import type { WatchWorkflows } from '../../lab/drive/triggerWorkflows';
import type { Lab } from '../../lab/lab';
import type { Random } from '../../sandbox/random';
import { TRIGGER_SECRET } from './installations';
import { sleepUnlessAborted } from './outages';
import type { EndedId } from './tally';

/** Shortest and longest time that people take to decide. */
const MIN_DECISION_MS = 1000;
const MAX_DECISION_MS = 20_000;

/** Sends requests to people until the signal aborts, submits each request to its trigger, and has people decide. */
export async function askPeople(
	lab: Lab,
	workflows: WatchWorkflows,
	{ random, onEnd }: { random: Random; onEnd: () => void },
	signal: AbortSignal,
): Promise<void> {
	const pending: Array<Promise<void>> = [];
	do {
		const members = await planIds(lab.sandbox, { approvals: 1, jobs: 1 }, random);
		for (const member of members) {
			const lifecycle = (async () => {
				await submitId(workflows[member.kind].url, member);
				await delay(random.int(MIN_DECISION_MS, MAX_DECISION_MS));
				await applyPlannedOutcome(lab.sandbox, member);
				onEnd();
			})();
			// `Promise.all` below reports the failure.
			lifecycle.catch(() => undefined);
			pending.push(lifecycle);
		}
	} while (await sleepUnlessAborted(1000, signal));
	await Promise.all(pending);
}

/** n8n may restart meanwhile, which takes minutes on a busy machine. */
const GIVE_UP_AFTER_MS = 300_000;

/** Submits an ID until the trigger acknowledges it. */
async function submitId(url: string, { id }: PlannedId): Promise<void> {
	const headers = { 'X-Gatehouse-Secret': TRIGGER_SECRET };
	const settings = { headers, timeout: 10_000, proxy: false as const, validateStatus: () => true };
	let lastResponse = 'no answer';
	for (const deadline = Date.now() + GIVE_UP_AFTER_MS; Date.now() < deadline; await delay(500)) {
		const response = await axios.post(url, { ids: [id] }, settings).catch(() => undefined);
		if (typeof (response?.data as { watched?: number } | undefined)?.watched === 'number') return;
		if (response && ![200, 404, 429, 503].includes(response.status)) {
			throw new Error(`The trigger answered ${response.status} ${JSON.stringify(response.data)}`);
		}
		lastResponse = response ? `${response.status} ${JSON.stringify(response.data)}` : 'no answer';
	}
	throw new Error(`${url} took no IDs. The last answer was: ${lastResponse}`);
}

/** Returns the outcome of everything as the services record it, in the triggers' terms. */
export function readEndedIds({ sandbox }: Lab): EndedId[] {
	const approvals = sandbox.control('twoFactor', 'approvals', {}) as Array<{
		uuid: string;
		status: string;
	}>;
	const jobs = sandbox.control('passwordlessIdentity', 'jobs', {}) as Array<{
		job: string;
		state: string;
	}>;
	return [
		...approvals.map(({ uuid, status }) => ({ id: uuid, outcome: status })),
		...jobs.map(({ job, state }) => ({ id: job, outcome: state })),
	];
}

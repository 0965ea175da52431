import { setTimeout as delay } from 'node:timers/promises';

import type { Lab } from '../../lab/lab';
import { usage } from './usage';

/** n8n's use of the machine and of the two-factor service during a period. */
export interface PollingLoad {
	elapsedMs: number;
	cpuMs: number;
	/** Resident memory at the end, in bytes. */
	memory: number;
	/** Polls of approval requests. */
	polls: number;
}

/** Returns how often the sandbox was asked for an approval request since it started. */
export const pollsOfApprovals = ({ sandbox }: Lab): number =>
	sandbox.requestLog.count('twoFactor', 'getApprovalRequest');

/** Measures n8n for a while, without touching it. */
export async function measurePolling(lab: Lab, ms: number): Promise<PollingLoad> {
	const { pid } = lab.n8n;
	const before = { ...(await usage(pid)), polls: pollsOfApprovals(lab), at: Date.now() };
	await delay(ms);
	const { cpuMs, memory } = await usage(pid);
	return {
		elapsedMs: Date.now() - before.at,
		cpuMs: cpuMs - before.cpuMs,
		memory,
		polls: pollsOfApprovals(lab) - before.polls,
	};
}

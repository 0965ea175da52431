import { setTimeout as delay } from 'node:timers/promises';

import type { Lab } from '../../lab/lab';
import { readUsage } from './processUsage';

/** n8n's use of the machine and of the two-factor service during a period. */
export interface PollingLoad {
	elapsedMs: number;
	cpuMs: number;
	/** Resident memory at the end, in bytes. */
	memoryBytes: number;
	/** Polls of approval requests. */
	polls: number;
}

/** Returns how often the sandbox was asked for an approval request since it started. */
export const countApprovalPolls = ({ sandbox }: Lab): number =>
	sandbox.requestLog.count('twoFactor', 'getApprovalRequest');

/** Measures n8n for a while, without touching it. */
export async function measurePolling(lab: Lab, durationMs: number): Promise<PollingLoad> {
	const { pid } = lab.n8n;
	const usageBefore = { ...(await readUsage(pid)), polls: countApprovalPolls(lab), at: Date.now() };
	await delay(durationMs);
	const { cpuMs, memoryBytes } = await readUsage(pid);
	return {
		elapsedMs: Date.now() - usageBefore.at,
		cpuMs: cpuMs - usageBefore.cpuMs,
		memoryBytes,
		polls: countApprovalPolls(lab) - usageBefore.polls,
	};
}

import { setTimeout as delay } from 'node:timers/promises';

import type { Lab } from '../../lab/lab';
import { readUsage } from './processUsage';

/** Load of the machine and of the two-factor service by n8n during a period. */
export interface PollingLoad {
	elapsedMs: number;
	cpuMs: number;
	/** Resident memory at the end, in bytes. */
	memoryBytes: number;
	/** Polls of approval requests. */
	polls: number;
}

/** Returns how often approval requests were polled since the sandbox started. */
export const countApprovalPolls = ({ sandbox }: Lab): number =>
	sandbox.requestLog.count('twoFactor', 'getApprovalRequest');

/** Measures n8n while it polls, without further calls of n8n. */
export async function measurePolling(lab: Lab, durationMs: number): Promise<PollingLoad> {
	const { pid } = lab.n8n;
	const usageBefore = await readUsage(pid);
	const pollsBefore = countApprovalPolls(lab);
	const startedAtMs = Date.now();
	await delay(durationMs);
	const { cpuMs, memoryBytes } = await readUsage(pid);
	return {
		elapsedMs: Date.now() - startedAtMs,
		cpuMs: cpuMs - usageBefore.cpuMs,
		memoryBytes,
		polls: countApprovalPolls(lab) - pollsBefore,
	};
}

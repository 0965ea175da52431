import axios from 'axios';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { LabError } from './errors';
import { ensurePrivateFolder } from './privateFolder';

/** The processes that use a user folder. Two n8n processes on one database would corrupt it. */
export interface Claim {
	labPid: number;
	n8nPid: number;
	url: string;
}

const locateClaimFile = (userFolder: string) => path.join(userFolder, 'running.json');

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

async function isReachable(url: string): Promise<boolean> {
	const options = { timeout: 2000, proxy: false, validateStatus: () => true } as const;
	return await axios.get(`${url}/healthz`, options).then(
		() => true,
		() => false,
	);
}

/** Throws a LabError with a one-line message if an n8n is running in the folder. A claim left by a crash is ignored. */
export async function requireUnclaimed(userFolder: string): Promise<void> {
	const text = await readFile(locateClaimFile(userFolder), 'utf8').catch(() => undefined);
	if (!text) return;
	let claim: Claim;
	try {
		claim = JSON.parse(text) as Claim;
	} catch {
		return;
	}
	// The process ID alone proves nothing: after a crash another process may have it.
	if (!isAlive(claim.n8nPid) || !(await isReachable(claim.url))) return;
	throw new LabError(
		isAlive(claim.labPid)
			? `n8n is already running at ${claim.url}: press Ctrl+C in its terminal to stop it.`
			: `An n8n from an earlier start is still running at ${claim.url}: end process ${claim.n8nPid} and start again.`,
	);
}

/** Records that an n8n is running in the folder. */
export async function claimFolder(userFolder: string, claim: Claim): Promise<void> {
	await ensurePrivateFolder(userFolder);
	await writeFile(locateClaimFile(userFolder), JSON.stringify(claim));
}

/** Removes the record of `claimFolder`. */
export async function releaseFolder(userFolder: string): Promise<void> {
	await rm(locateClaimFile(userFolder), { force: true });
}

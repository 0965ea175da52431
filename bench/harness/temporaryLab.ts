import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startLab } from '../../lab/lab';
import type { Lab, LabOptions } from '../../lab/lab';

/** A lab in a folder of its own. */
export interface TemporaryLab {
	lab: Lab;
	/** Stops n8n and the sandbox, and deletes the folder. */
	stop(): Promise<void>;
}

/** Starts a lab in a new folder, which is deleted with it or if the start fails. */
export async function startTemporaryLab(
	options: Omit<LabOptions, 'userFolder'>,
): Promise<TemporaryLab> {
	const userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-bench-'));
	const removeFolder = async () => await rm(userFolder, { recursive: true, force: true });
	try {
		const lab = await startLab({ ...options, userFolder });
		return {
			lab,
			async stop() {
				await lab.stop();
				await removeFolder();
			},
		};
	} catch (error) {
		await removeFolder();
		throw error;
	}
}

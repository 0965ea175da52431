import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { killableEnv } from '../../../lab/environment';
import { startLab } from '../../../lab/lab';
import type { Lab } from '../../../lab/lab';
import { resumeTimer } from '../../e2e/park/resumeTimer';
import { RESUME_AFTER_MS } from './nodes';
import { playOnModel } from './playOnModel';
import { RealDriver } from './realDriver';
import { Stage } from './stage';
import type { Result } from './stage';
import type { TrueHistory } from './trueHistory';

/** Declares a test for each history: the real n8n and the simulated one have the same result. All share one n8n. */
export function compareWithRealN8n(histories: TrueHistory[]): void {
	let userFolder: string;
	let lab: Lab;
	let modelResults: Record<string, Result>;
	beforeAll(async () => {
		modelResults = await playOnModel(histories.map(({ name }) => name));
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-truth-'));
		lab = await startLab({
			userFolder,
			sandbox: { registrations: 3, contacts: 12 },
			env: { ...killableEnv, ...resumeTimer(RESUME_AFTER_MS / 1000) },
		});
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	test.each(histories)('$name', async ({ name, play }) => {
		const stage = new Stage(new RealDriver(lab));
		try {
			await play(stage);
			const realResult = await stage.result();
			expect(modelResults[name]).toEqual(realResult);
		} finally {
			await stage.close();
		}
	});
}

// Protects the results of the simulation: the simulated n8n behaves as a real one, and simulated histories keep promises.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { histories } from '../simulation/truth/histories';
import { compareWithRealN8n } from '../simulation/truth/realStage';

const SIMULATOR = path.join(__dirname, '..', 'simulation', 'main.ts');

describe('the simulated n8n agrees with the real one in short histories', () => {
	compareWithRealN8n(histories.filter(({ isQuick }) => isQuick));
});

it('histories that once broke a promise keep it, and random ones', async () => {
	const options = ['--import', 'tsx', SIMULATOR, '--seed', '8', '--runs', '50'];
	await promisify(execFile)(process.execPath, options, {
		env: { ...process.env, N8N_LOG_LEVEL: 'silent' },
		maxBuffer: 2 ** 27,
	});
}, 600_000);

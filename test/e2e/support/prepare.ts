import { ensureN8n } from '../../../lab/install';
import { packCache } from '../../../lab/lab';
import { buildPack } from '../../../lab/pack';
import { terminalProgress } from '../../../lab/progress';

/**
 * Runs once before all end-to-end tests: what takes minutes on a fresh machine must not count as a test's time. `E2E_BUILT=yes` says that
 * `npm run build` has just run.
 */
export default async function prepare(): Promise<void> {
	const progress = terminalProgress(process.stdout);
	progress.print('');
	await ensureN8n(progress);
	await buildPack(packCache, progress, { isBuilt: process.env.E2E_BUILT === 'yes' });
}

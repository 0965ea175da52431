import { ensureN8n } from '../../../lab/install';
import { packCache } from '../../../lab/lab';
import { buildPack } from '../../../lab/pack';
import { terminalProgress } from '../../../lab/progress';

/**
 * Installs n8n and builds the pack before all end-to-end tests, since that takes minutes on a fresh machine. `E2E_BUILT=yes` says that
 * `npm run build` has just run.
 */
export default async function prepare(): Promise<void> {
	const progress = terminalProgress(process.stdout);
	progress.print('');
	await ensureN8n(progress);
	await buildPack(packCache, progress, { isBuilt: process.env.E2E_BUILT === 'yes' });
}

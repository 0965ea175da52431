import { toOneLine } from './errors';
import { ensureN8n } from './install';
import { terminalProgress } from './progress';

// Installs n8n and starts nothing. `.ci/run` runs this script while other steps run.
ensureN8n(terminalProgress(process.stdout)).catch((error: unknown) => {
	process.stderr.write(`${toOneLine(error)}\n`);
	process.exitCode = 1;
});

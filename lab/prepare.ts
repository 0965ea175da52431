import { oneLine } from './errors';
import { ensureN8n } from './install';
import { talkative } from './progress';

// Installs n8n and starts nothing: `.ci/run` does that while other steps run.
ensureN8n(talkative(process.stdout)).catch((error: unknown) => {
	process.stderr.write(`${oneLine(error)}\n`);
	process.exitCode = 1;
});

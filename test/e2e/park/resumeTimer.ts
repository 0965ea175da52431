import path from 'node:path';

/** Environment variables for an n8n in which parked executions poll again after these seconds instead of five minutes. */
export const resumeTimer = (seconds: number): Record<string, string> => ({
	NODE_OPTIONS: `--require=${path.join(__dirname, 'setResumeTimer.cjs')}`,
	GATEHOUSE_TEST_RESUME_AFTER_MS: `${seconds * 1000}`,
});

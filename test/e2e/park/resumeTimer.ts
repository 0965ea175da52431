import path from 'node:path';

/** Settings for an n8n in which parked executions poll again after these seconds instead of five minutes. */
export const resumeTimer = (seconds: number): Record<string, string> => ({
	NODE_OPTIONS: `--require=${path.join(__dirname, 'lookAgain.cjs')}`,
	GATEHOUSE_TEST_LOOK_AGAIN_MS: `${seconds * 1000}`,
});

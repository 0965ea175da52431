// Loaded before n8n: stores the interval at which parked executions poll again where the pack's process-wide settings are.
const { createRequire } = require('node:module');

const resumeAfterMs = Number(process.env.GATEHOUSE_TEST_RESUME_AFTER_MS);
const isN8n = /[/\\]n8n$/.test(process.argv[1] ?? '');
if (isN8n && resumeAfterMs > 0) {
	const { sleep } = createRequire(process.argv[1])('n8n-workflow');
	sleep[Symbol.for('n8n-nodes-gatehouse')] = new Map([['park times 1', { resumeAfterMs }]]);
}

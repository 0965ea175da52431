// Loaded before n8n: puts the time after which parked executions look again into the place that the pack shares in a process.
const { createRequire } = require('node:module');

const lookAgainMs = Number(process.env.GATEHOUSE_TEST_LOOK_AGAIN_MS);
const isN8n = /[/\\]n8n$/.test(process.argv[1] ?? '');
if (isN8n && lookAgainMs > 0) {
	const { sleep } = createRequire(process.argv[1])('n8n-workflow');
	sleep[Symbol.for('n8n-nodes-gatehouse')] = new Map([
		['park times 1', { resumeAfterMs: lookAgainMs }],
	]);
}

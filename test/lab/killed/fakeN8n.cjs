// Replaces n8n in tests: responds like an n8n that is ready, and starts a child process, as n8n starts its task runner.
const { spawn } = require('node:child_process');
const { createServer } = require('node:http');

spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'taskRunner'], { stdio: 'ignore' });
console.log('n8n is ready');
createServer((_request, response) => response.end('{}')).listen(process.env.N8N_PORT, '127.0.0.1');

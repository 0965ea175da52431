// Stands in for n8n: answers as one that is ready, and has a process of its own, as n8n has its task runner.
const { spawn } = require('node:child_process');
const { createServer } = require('node:http');

spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'taskRunner'], { stdio: 'ignore' });
console.log('n8n is ready');
createServer((_request, response) => response.end('{}')).listen(process.env.N8N_PORT, '127.0.0.1');

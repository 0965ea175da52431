// n8n logs every failed node to the console; tests that are about the log turn it on again.
process.env.N8N_LOG_LEVEL ??= 'silent';

// n8n logs every failed node to the console; tests of the log enable it again.
process.env.N8N_LOG_LEVEL ??= 'silent';

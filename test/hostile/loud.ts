// Turns n8n's log on again: what it writes is part of what this is about. Must be imported before n8n.
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_OUTPUT = 'console';

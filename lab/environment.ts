export interface InstanceSettings {
	port: number;
	userFolder: string;
	/** Port that n8n's own task runner connects to. */
	brokerPort: number;
}

/** Variables that configure another n8n on this machine; none of them may reach the lab's n8n. */
const OTHER_N8N_VARIABLE =
	/^(N8N|DB|EXECUTIONS|QUEUE|WORKFLOWS?|GENERIC|CREDENTIALS|NODES|NODE_FUNCTION|EXTERNAL)_|^WEBHOOK_URL$|^NODE_(ENV|OPTIONS|PATH)$/;

/**
 * Returns the settings of an n8n that listens on loopback only, keeps its data in its own folder and calls no remote server.
 */
export function createEnvironment({
	port,
	userFolder,
	brokerPort,
}: InstanceSettings): NodeJS.ProcessEnv {
	const removedVariables = Object.fromEntries(
		Object.keys(process.env)
			.filter((name) => OTHER_N8N_VARIABLE.test(name))
			.map((name) => [name, undefined]),
	);
	return {
		...removedVariables,
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}`,
		N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_PYTHON_ENABLED: 'false',
		// Without this setting, n8n reads times without a zone as New York time.
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		DB_TYPE: 'sqlite',
		// Only workers read these: each answers health checks on its own port.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',

		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_REINSTALL_MISSING_PACKAGES: 'false',

		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_AI_ENABLED: 'false',
		// These modules request lists from the internet as soon as n8n starts or a page opens.
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,quick-connect',
	};
}

/** Settings for an n8n that a test kills. */
export const killableEnv = {
	// n8n 2.41.1 records the end of every execution in its insights module, and fails to start if an execution was killed
	// before it had begun to run.
	N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,quick-connect,insights',
	// If n8n 2.41.1 is killed while it activates a workflow, the next process activates it only after this time (default: two
	// minutes), when it next looks for such workflows (default: every 15 seconds). The triggers do not run until then.
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '2000',
};

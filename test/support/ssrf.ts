import { createRequire } from 'node:module';

interface SsrfConfig {
	enabled: boolean;
	blockedHostnames: string[];
}

// Resolved from n8n-core, so that they are the module instances that n8n's engine uses.
const requireFromN8n = createRequire(require.resolve('n8n-core'));
const { OutboundHttp } = requireFromN8n('@n8n/backend-network') as { OutboundHttp: unknown };
const { Container: container } = requireFromN8n('@n8n/di') as {
	Container: { get: (type: unknown) => { ssrfConfig: SsrfConfig } };
};

/** Enables n8n's SSRF protection for all tests of a file. By default it blocks loopback too. */
export function useSsrfProtection(): void {
	const { ssrfConfig } = container.get(OutboundHttp);
	beforeAll(() => {
		ssrfConfig.enabled = true;
	});
	afterAll(() => {
		ssrfConfig.enabled = false;
	});
}

import { createRequire } from 'node:module';

interface Protection {
	enabled: boolean;
	blockedHostnames: string[];
}

// The very modules that n8n's engine uses.
const from = createRequire(require.resolve('n8n-core'));
const { OutboundHttp } = from('@n8n/backend-network') as { OutboundHttp: unknown };
const { Container: container } = from('@n8n/di') as {
	Container: { get: (type: unknown) => { ssrfConfig: Protection } };
};

/** Turns n8n's SSRF protection on for all tests of a file: loopback is among what it blocks unless told otherwise. */
export function useSsrfProtection(): void {
	const { ssrfConfig } = container.get(OutboundHttp);
	beforeAll(() => {
		ssrfConfig.enabled = true;
	});
	afterAll(() => {
		ssrfConfig.enabled = false;
	});
}

import { sleep as n8nSleep } from 'n8n-workflow';

/**
 * Resolves after a delay, and rejects with the signal's reason as soon as the signal is aborted. The `sleep` of older
 * n8n-workflow versions ignores the signal.
 */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
	if (!signal) return await n8nSleep(ms);
	signal.throwIfAborted();
	let onAbort = (): void => undefined;
	const aborted = new Promise<never>((_, reject) => {
		onAbort = () => reject(signal.reason);
	});
	signal.addEventListener('abort', onAbort);
	try {
		await Promise.race([n8nSleep(ms, signal), aborted]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}
